import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from '#http';
import { defaultLimits, type Limits } from '#limits';
import {
  anySchema,
  type AstJson,
  type CompileTarget,
  earliestHeader,
  earliestOf,
  type Fragment,
  parseAst,
  type QueryOptions,
  render,
  type Snapshot,
  tableRequest,
  TableReader,
  targetOf,
} from '#query';
import { QUERIES } from './queries';

/**
 * Limits for parsing answers from PostgreSQL. Their size has no limit here, because the statements limit it. Their
 * depth is a little more than `documentDepth`, because an answer puts a few levels around the levels of a payload.
 */
const answerLimits: Limits = {
  ...defaultLimits,
  queryText: Infinity,
  queryNodes: Infinity,
  queryDepth: defaultLimits.documentDepth + 20,
};

/** Parses JSON from PostgreSQL, and keeps the spelling of numbers. */
export const parseAnswer = (text: string): AstJson => parseAst(text, answerLimits);

/** Runs statements in the snapshot of a request. */
export class RowReader {
  constructor(
    readonly snapshot: Snapshot,
    readonly limits: Limits,
  ) {}

  /** Returns the text of the column `row`, or undefined if the statement has no row. */
  text(statement: Fragment): Promise<string | undefined> {
    return this.snapshot.one(render(statement, anySchema, this.limits));
  }

  /** Yields the texts of the column `row` in groups of rows. */
  rows(statement: Fragment): AsyncGenerator<string[]> {
    return this.snapshot.rows(render(statement, anySchema, this.limits));
  }
}

/** Reads the live tables to answer questions about changes. */
@Injectable()
export class ChangeTables {
  readonly target: CompileTarget;
  readonly limits: Limits;
  private readonly tables: TableReader;

  constructor(@Inject(QUERIES) options: QueryOptions) {
    this.target = targetOf(options);
    this.limits = options.limits;
    this.tables = new TableReader(options);
  }

  /**
   * Runs work in one snapshot. If the requested moment is before the history, adds the header with the earliest
   * possible moment to the answer.
   */
  async read<T>(request: FastifyRequest, reply: FastifyReply, work: (reader: RowReader) => Promise<T>): Promise<T> {
    try {
      return await this.tables.read(tableRequest(request, reply), (snapshot) =>
        work(new RowReader(snapshot, this.limits)),
      );
    } catch (error) {
      const earliest = earliestOf(error);
      if (earliest !== undefined) void reply.header(earliestHeader, earliest);
      throw error;
    }
  }
}
