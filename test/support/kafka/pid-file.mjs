/** Which process serves a data folder: its number and its start, so that a reused number is never mistaken for it. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fileOf = (root) => join(root, 'broker.pid');

export async function writePidFile(root, pid, broker) {
  await writeFile(fileOf(root), JSON.stringify({ pid, started: await startOf(pid), broker }));
}

export async function removePidFile(root) {
  await rm(fileOf(root), { force: true });
}

/** {pid, broker, alive()} if the process of the file still runs. */
export async function runningBroker(root) {
  let kept;
  try {
    kept = JSON.parse(await readFile(fileOf(root), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
  const alive = async () => {
    const started = await startOf(kept.pid);
    return started !== undefined && started === kept.started;
  };
  return (await alive()) ? { pid: kept.pid, broker: kept.broker, alive } : undefined;
}

/** When the process started, in its system's spelling; undefined if there is none (a zombie is none). */
async function startOf(pid) {
  if (!Number.isInteger(pid) || pid < 2) return undefined;
  if (process.platform === 'linux') {
    try {
      // After the name, which may hold spaces and brackets: state is the 3rd field, start the 22nd (ticks since boot).
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
      return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}
