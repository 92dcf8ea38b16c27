/**
 * Runs the service like the image and the systemd unit: without privileges, and with write access only to its data and
 * /tmp.
 */
import { execFile, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';
import { tellSkipped } from '../support/tell-skipped';

/**
 * Uses a separate mount namespace, so that nothing else becomes read-only. Mounts the program and Node.js below /mnt,
 * where the account nobody can read them.
 */
const isolated = ['--mount', '--propagation', 'private', 'sh', '-euc'];
const readOnly = `
mount -t tmpfs tmpfs /mnt
mkdir -m 0755 /mnt/app
mkdir -m 0777 /mnt/data
touch /mnt/node
mount --bind "$1" /mnt/app
mount --bind "$0" /mnt/node
mount -o remount,bind,ro /mnt/app
mount -o remount,bind,ro /
mount -t tmpfs tmpfs /tmp
`;
const places = [process.execPath, dirname(dirname(dirname(dirname(builtProgram('cli')))))];
const possible = process.getuid?.() === 0 && spawnSync('unshare', [...isolated, readOnly, ...places]).status === 0;
if (!possible)
  tellSkipped('only root, where it may mount, can make a file system read-only', 'NODELEDGER_REQUIRE_SMALL_DISK');

const script = `
${readOnly}
for place in / /mnt/app; do
  if touch "$place/written" 2>/dev/null; then echo "$place is not read-only"; exit 1; fi
done
cd /mnt/data
as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin NODELEDGER_PORT=0 NODELEDGER_DATA_DIR=/mnt/data/own"
nodeledger="$as_nobody /mnt/node /mnt/app/dist/apps/cli/main.js"
$nodeledger start >out 2>&1 &
service=$!
while kill -0 $service && ! grep -q 'listens on' out; do sleep 0.2; done
$nodeledger status --json --url "$(sed -n 's/.*listens on \\([^ ]*\\).*/\\1/p' out)" || cat out
kill -TERM $service
wait $service
tail -1 out
`;

(possible ? test : test.skip)(
  'it starts, answers and stops',
  async () => {
    const { stdout } = await promisify(execFile)('unshare', [...isolated, script, ...places]);
    expect(stdout).toContain('"state": "running"');
    expect(stdout).toMatch(/nodeledger has stopped\n$/);
  },
  300_000,
);
