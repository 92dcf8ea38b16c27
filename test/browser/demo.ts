/** `npm run demo` as a process: a service with a simulated fleet. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { temporaryDataDir } from '../e2e/service';
import { ownEnvironment } from '../e2e/own-environment';
import { builtFile } from '../support/built';
import { until } from '../support/until';

export interface Demo {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Resolves when queries show the history of the fleet. */
export async function startDemo(nodes: number): Promise<Demo> {
  // While one works on the tests, a demo that runs already saves the minute that a new one needs.
  const running = process.env['TEST_DEMO_URL'];
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  const folder = await temporaryDataDir();
  const child = spawn(process.execPath, [builtFile('tools/main.js'), 'demo', '--port', '0', '--nodes', String(nodes)], {
    cwd: folder,
    env: ownEnvironment({ TMPDIR: folder }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = async (): Promise<void> => {
    await endChild(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(() => /Ctrl-C stops everything/.test(output) || child.exitCode !== null, { withinMs: 240_000 });
    const url = /listens on (http:\S+)/.exec(output)?.[1];
    if (url === undefined || child.exitCode !== null) throw new Error(`the demo did not start:\n${output}`);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}
