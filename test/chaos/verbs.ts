/** Runs maintenance verbs as processes, and reads figures from their answers. */
import { setTimeout as delay } from 'node:timers/promises';
import { runVerb, startVerb, type RunningVerb, type VerbEnd } from '../e2e/verb';

export interface ComparisonJson {
  readonly counted: number;
  readonly rows: number;
  readonly differences: readonly unknown[];
}
export interface VerifyJson extends ComparisonJson {
  readonly records: number;
  readonly seconds: number;
}
export interface RebuildJson {
  readonly records: number;
  readonly seconds: number;
  readonly switched: boolean;
  readonly comparison: ComparisonJson;
}
export interface SnapshotJson {
  readonly nothingToDo: boolean;
  readonly kept: number;
  readonly removed: number;
  readonly seconds: number;
}

/** How long the lock of a killed verb may be held. */
const lockMs = 20_000;

export class Verbs {
  constructor(
    private readonly cwd: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  start(...args: string[]): RunningVerb {
    return startVerb(args, this.cwd, this.env);
  }

  /** Retries while the connection of a killed verb still holds the lock. */
  async run(...args: string[]): Promise<VerbEnd> {
    for (const deadline = Date.now() + lockMs; ; await delay(200)) {
      const end = await runVerb(args, this.cwd, this.env);
      if (end.code === 0 || !/is already running/.test(end.stderr) || Date.now() > deadline) return end;
    }
  }

  /** Returns the output of the verb, which must succeed. */
  async answer<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`nodeledger ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return JSON.parse(stdout) as T;
  }

  readonly verify = (): Promise<VerifyJson> => this.answer<VerifyJson>('verify');
}
