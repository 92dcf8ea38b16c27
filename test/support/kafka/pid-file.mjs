/**
 * Records which process serves a data folder: its id and its start time, so that a reused id is not mistaken for it.
 */
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

/** Returns {pid, broker, alive()} if the process of the file still runs. */
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

/**
 * Returns the start time of the process in the notation of its system, or undefined if there is no process or it is a
 * zombie.
 */
async function startOf(pid) {
  if (!Number.isInteger(pid) || pid < 2) return undefined;
  if (process.platform === 'linux') {
    try {
      // After the name, which may contain spaces and brackets: state is the 3rd field, start time the 22nd (ticks since
      // boot).
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
