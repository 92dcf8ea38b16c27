/** Starts a separate broker for a test, with the script of `npm run kafka:start`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../free-ports';

const script = join(__dirname, 'broker.mjs');
/** How long the next start after a kill has to wait. Longer than any pause of a busy machine. */
const sessionMs = 3_000;

export interface BrokerOptions {
  /** Kept after stop(). By default a new folder, which stop() removes. */
  readonly dataDir?: string;
  readonly port?: number;
  /** Adds a listener that directs its clients to this port, so that they stay on the proxy that listens there. */
  readonly proxyPort?: number;
}

export interface OwnBroker {
  /** Addresses that bypass a proxy. */
  readonly brokers: string[];
  /** The target port for a proxy of `proxyPort`. */
  readonly behindPort: number | undefined;
  readonly dataDir: string;
  /** The process id; restart() changes it. */
  readonly pid: number;
  /** Stops the broker normally. Does nothing if it is stopped. */
  stop(): Promise<void>;
  /** Sends SIGKILL; resolves when the process has ended. The data stays for restart(). */
  kill(): Promise<void>;
  /** Starts the broker with the same data and ports. Stops it first if it runs. */
  restart(): Promise<void>;
}

/** Common parts of a broker and a node of a cluster. */
export type BrokerProcess = Pick<OwnBroker, 'pid' | 'stop' | 'kill' | 'restart'>;

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly gone: Promise<unknown>;
}

/** Takes seconds, so the hook that calls it needs a time limit of a minute. */
export async function startBroker(options: BrokerOptions = {}): Promise<OwnBroker> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'nodeledger-kafka-')));
  const [free, controllerPort, behind] = (await freePorts(3)) as [number, number, number];
  const port = options.port ?? free;
  const behindPort = options.proxyPort === undefined ? undefined : behind;
  const args = ['--data', dataDir, '--port', `${port}`, '--controller-port', `${controllerPort}`];
  if (behindPort !== undefined) args.push('--proxy-port', `${options.proxyPort}`, '--behind-port', `${behindPort}`);
  args.push('--quick', '--session-timeout', `${sessionMs}`);

  const removeOwn = async (): Promise<void> => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const broker = await startProcess(args).catch(async (error: unknown) => {
    await removeOwn();
    throw error;
  });
  return {
    brokers: [`127.0.0.1:${port}`],
    behindPort,
    dataDir,
    get pid() {
      return broker.pid;
    },
    async stop() {
      await broker.stop();
      await removeOwn();
    },
    kill: () => broker.kill(),
    restart: () => broker.restart(),
  };
}

/** Starts a broker with arguments of the script. Resolves when the broker answers. */
export async function startProcess(args: string[]): Promise<BrokerProcess> {
  let running: Running | undefined = await run(args);
  const end = async (how: (running: Running) => void): Promise<void> => {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    how(ending);
    await ending.gone;
  };
  const stop = (): Promise<void> => end(({ child }) => void child.stdin?.end());
  return {
    get pid() {
      if (running === undefined) throw new Error('the broker does not run; restart() starts it');
      return running.pid;
    },
    stop,
    kill: () => end(({ pid }) => process.kill(pid, 'SIGKILL')),
    async restart() {
      await stop();
      running = await run(args);
    },
  };
}

/** Resolves when the broker answers. The broker ends with this process, because it watches its pipe. */
async function run(args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [script, 'run', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const gone = once(child, 'close');
  let said = '';
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  // The pipe breaks if the broker was killed.
  child.stdin.on('error', () => undefined);
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve();
    }),
  );
  await Promise.race([ready, gone]);
  if (!said.includes('\n')) throw new Error(`the test broker did not start: ${complaint.trim()}`);
  return { child, pid: (JSON.parse(said) as { pid: number }).pid, gone };
}

/** Downloads the jars of the broker if they are missing, which takes minutes. */
export async function fetchBroker(): Promise<void> {
  await promisify(execFile)(process.execPath, [script, 'fetch']);
}
