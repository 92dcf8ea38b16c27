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
 * Limits on answers of PostgreSQL. The statements limit their size. A payload of `documentDepth` levels is inside of a
 * few further levels of an answer.
 */
const answerLimits: Limits = {
  ...defaultLimits,
  queryText: Infinity,
  queryNodes: Infinity,
  queryDepth: defaultLimits.documentDepth + 20,
};

/** Parses JSON that PostgreSQL has made, and keeps the spelling of numbers. */
export const parseAnswer = (text: string): AstJson => parseAst(text, answerLimits);

/** Reads one row of a statement in the snapshot of a request. */
export class RowReader {
  constructor(
    readonly snapshot: Snapshot,
    readonly limits: Limits,
  ) {}

  /** Returns the text of the column `row`, or undefined if the statement has no row. */
  text(statement: Fragment): Promise<string | undefined> {
    return this.snapshot.one(render(statement, anySchema, this.limits));
  }

  /** Yields the texts of the column `row`. */
  rows(statement: Fragment): AsyncGenerator<string[]> {
    return this.snapshot.rows(render(statement, anySchema, this.limits));
  }
}

/** Reads the live tables for questions about changes. */
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
   * Runs work in one snapshot. If the moment is before the history, the answer gets the header with the earliest
   * moment.
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
