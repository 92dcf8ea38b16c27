/** The service as the image and the systemd unit run it: no privileges, and only its data and /tmp can be written. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';
import { tellSkipped } from '../support/tell-skipped';

/** In a mount namespace of its own, so that nothing else is read-only. */
const isolated = ['--mount', '--propagation', 'private', 'sh', '-euc'];
const readOnly = 'mount -o remount,bind,ro /; mount -t tmpfs tmpfs /tmp';
const possible = process.getuid?.() === 0 && spawnSync('unshare', [...isolated, readOnly]).status === 0;
if (!possible)
  tellSkipped('only root, where it may mount, can make a file system read-only', 'NODELEDGER_REQUIRE_SMALL_DISK');

const script = `
${readOnly}
if touch "$1" 2>/dev/null; then echo 'the file system is not read-only'; exit 1; fi
mkdir -m 0777 /tmp/data
cd /tmp/data
as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin NODELEDGER_PORT=0 NODELEDGER_DATA_DIR=/tmp/data/own"
$as_nobody "$0" "$1" start >out 2>&1 &
service=$!
while kill -0 $service && ! grep -q 'listens on' out; do sleep 0.2; done
$as_nobody "$0" "$1" status --json --url "$(sed -n 's/.*listens on \\([^ ]*\\).*/\\1/p' out)" || cat out
kill -TERM $service
wait $service
tail -1 out
`;

(possible ? test : test.skip)(
  'it starts, answers and stops',
  async () => {
    const { stdout } = await promisify(execFile)('unshare', [
      ...isolated,
      script,
      process.execPath,
      builtProgram('cli'),
    ]);
    expect(stdout).toContain('"state": "running"');
    expect(stdout).toMatch(/nodeledger has stopped\n$/);
  },
  300_000,
);
