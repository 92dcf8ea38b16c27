import { fork } from 'node:child_process';
import { join } from 'node:path';

const longestMs = 15 * 60_000;

/** Runs one phase in a separate process and returns its figures; `profile`: the folder for its processor profile. */
export function runPhase(phase, task, { profile } = {}) {
  const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const child = fork(join(import.meta.dirname, 'phase.mjs'), { execArgv });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), longestMs);
    let answer;
    child.once('message', (said) => (answer = said));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      if (answer?.figures !== undefined) resolve(answer.figures);
      else reject(new Error(`phase ${phase} failed: ${answer?.failed ?? signal ?? `exit ${code}`}`));
    });
    child.send({ phase, task });
  });
}
