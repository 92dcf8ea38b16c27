import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { environmentOf, type Settings, type SettingSource, showByteSize } from '#config';
import { Fault } from '#fault';
import type { StepProgress } from '../../../cli/maintenance/step-clock';
import { diskReserve } from '../../storage/disk-space';
import { yieldToRequests } from '../../thread-priority';
import { prepareWorkDirectory } from './work-directory';
import { workKinds, type WorkName, type WorkRequest } from './work-kinds';

export interface Work {
  readonly id: string;
  readonly kind: WorkName;
  readonly actor: string;
  readonly started: Date;
  ended?: Date;
  state: 'running' | 'stopping' | 'done' | 'failed' | 'stopped';
  progress?: StepProgress;
  output: string;
}

interface WorksOptions {
  readonly settings: Readonly<Settings>;
  readonly source: SettingSource;
  /** Returns a fault while the disk of the embedded PostgreSQL is almost full. */
  readonly refusal: () => Fault | undefined;
}

const commandLine = join(__dirname, '../../../cli/main.js');
const longestOutput = 20_000;
const mostKept = 10;
/** If a stopped verb has not ended after this time, its process is killed. */
const longestEndMs = 20_000;
const stoppedCode = 130;
const diskCheckMs = 5_000;

/**
 * Runs verbs of the command line as child processes, with the settings of the service. Each process of the service runs
 * one verb at a time.
 */
export class Works {
  /** The newest first. */
  private kept: Work[] = [];
  private isClosed = false;
  private current: { readonly work: Work; child?: ChildProcess; readonly ended: Promise<void> } | undefined;

  constructor(private readonly options: WorksOptions) {}

  list(): readonly Work[] {
    return this.kept;
  }

  /**
   * Throws `operation.work-running` if other work of this process runs, `operation.work-directory` if the work cannot
   * write into its directory, and `database.disk-low` if a disk that the work needs is almost full.
   */
  async start(request: WorkRequest, actor: string): Promise<Work> {
    const { current } = this;
    if (current !== undefined) {
      throw new Fault('conflict', 'operation.work-running', `Other work runs already: ${current.work.kind}.`, {
        hint: 'Wait until it has ended, or stop it.',
      });
    }
    const work: Work = {
      id: randomUUID(),
      kind: request.kind,
      actor,
      started: new Date(),
      state: 'running',
      output: '',
    };
    let end: () => void = () => undefined;
    this.current = { work, ended: new Promise<void>((done) => (end = done)) };
    const finish = (): void => {
      this.current = undefined;
      end();
    };
    try {
      const refusal = this.options.refusal();
      if (refusal !== undefined) throw refusal;
      const directory = this.directory();
      if (workKinds[work.kind].writes) {
        await prepareWorkDirectory(directory);
        await this.requireSpace(directory);
      }
      if (this.isClosed) throw new Fault('conflict', 'operation.work-running', 'The service stops.');
      this.run(request, directory, finish);
    } catch (error) {
      finish();
      throw error;
    }
    this.kept = [work, ...this.kept].slice(0, mostKept);
    return work;
  }

  /** Throws `operation.no-work` if the work is unknown or has ended. */
  stop(id: string): void {
    const { current } = this;
    if (current?.child === undefined || current.work.id !== id)
      throw new Fault('missing', 'operation.no-work', 'No running work has this id.');
    const { work, child } = current;
    if (work.state === 'stopping') return;
    work.state = 'stopping';
    // A verb stops when the channel to the service closes, so it also stops if the service is killed.
    child.disconnect();
    const late = setTimeout(() => child.kill('SIGKILL'), longestEndMs).unref();
    child.once('exit', () => clearTimeout(late));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { current } = this;
    // If the current work has no child process yet, it will not start one, because `isClosed` is true.
    if (current?.child === undefined) return;
    this.stop(current.work.id);
    await current.ended;
  }

  private run({ kind, unfinished }: WorkRequest, directory: string, finish: () => void): void {
    const { work } = this.current!;
    const words = [
      ...workKinds[kind].words(directory, work.started),
      ...(unfinished === undefined ? [] : [`--${unfinished}`]),
    ];
    const child = fork(commandLine, words, {
      env: environmentOf(this.options.source),
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.current = { ...this.current!, child };
    const add = (text: string): void => void (work.output = (work.output + text).slice(-longestOutput));
    const watch = setInterval(() => {
      if (work.state !== 'running' || this.options.refusal() === undefined) return;
      add('The service stops this work, because the disk is almost full.\n');
      this.stop(work.id);
    }, diskCheckMs).unref();
    child.on('message', (progress) => void (work.progress = progress as StepProgress));
    const end = (code: number | null): void => {
      clearInterval(watch);
      const failed = work.state === 'stopping' || code === stoppedCode ? 'stopped' : 'failed';
      work.state = code === 0 ? 'done' : failed;
      work.ended = new Date();
      finish();
    };
    child.on('error', (error) => {
      add(`${error.message}\n`);
      if (child.pid === undefined) end(null);
    });
    // If the system has no free file descriptors, the child has neither a process nor streams.
    if (child.pid === undefined) return;
    const streams = [child.stdout!, child.stderr!];
    for (const stream of streams) stream.setEncoding('utf8').on('data', add);
    // Node.js does not emit `close` after a disconnect.
    child.once('exit', (code) => {
      void Promise.allSettled(streams.map((stream) => finished(stream))).then(() => end(code));
    });
    yieldToRequests(child.pid);
  }

  private directory(): string {
    const { backupDir, dataDir } = this.options.settings;
    return resolve(backupDir ?? join(dataDir, 'backups'));
  }

  /** Throws `database.disk-low` if the directory's file system has less free space than must remain. */
  private async requireSpace(directory: string): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(directory);
    const reserve = diskReserve(this.options.settings.minFreeDisk, blocks * bsize);
    if (bavail * bsize >= reserve) return;
    throw new Fault(
      'busy',
      'database.disk-low',
      `The disk of ${directory} is almost full: ${showByteSize(bavail * bsize)} are free, and ${showByteSize(reserve)} must stay free (NODELEDGER_MIN_FREE_DISK).`,
    );
  }
}
