import type { RequestIdentity } from '#http';
import type { Reader } from './admission';
import { Deadline } from './deadline';
import type { QueryOptions } from './query-options';
import { QueryRunner } from './query-runner';
import { QueryRecorder } from './query-recorder';
import type { Snapshot } from './snapshot';

export interface TableRequest {
  readonly identity: RequestIdentity;
  readonly route: string;
  readonly address: string;
  readonly reader: Reader;
  readonly gone: AbortSignal;
}

/** Reads the live tables for other libs. Applies the permits, the time limit and the query log. */
export class TableReader {
  private readonly runner: QueryRunner;

  constructor(private readonly options: QueryOptions) {
    this.runner = new QueryRunner(options);
  }

  /** Throws the same faults as a query, such as `query.timeout` or `query.crowded`. */
  async read<T>(request: TableRequest, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const { identity, route, gone } = request;
    const recorder = new QueryRecorder(identity, route, this.options.onQuery);
    const deadline = new Deadline(this.options.timeoutMs);
    try {
      const permit = await this.options.permits.take({ ...request, waitMs: deadline.remainingMs() });
      try {
        const onStatement = (statement: string): void => recorder.statement(statement);
        const result = await this.runner.run({ deadline, permit, gone, onStatement }, work);
        recorder.done();
        return result;
      } finally {
        permit.leave();
      }
    } catch (error) {
      recorder.failed(error);
      throw error;
    }
  }
}
