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
 * Limits for parsing answers from PostgreSQL. The size is not limited here, because the statements limit it. The limit
 * on the depth is higher than `documentDepth`, because an answer adds a few levels around a payload.
 */
const answerLimits: Limits = {
  ...defaultLimits,
  queryText: Infinity,
  queryNodes: Infinity,
  queryDepth: defaultLimits.documentDepth + 20,
};

/** Parses JSON from PostgreSQL, and keeps the spelling of numbers. */
export const parseAnswer = (text: string): AstJson => parseAst(text, answerLimits);

export class RowReader {
  constructor(
    readonly snapshot: Snapshot,
    readonly limits: Limits,
  ) {}

  /** Returns the text in the column `row`, or undefined if the statement returns no row. */
  text(statement: Fragment): Promise<string | undefined> {
    return this.snapshot.one(render(statement, anySchema, this.limits));
  }

  rows(statement: Fragment): AsyncGenerator<string[]> {
    return this.snapshot.rows(render(statement, anySchema, this.limits));
  }
}

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
   * Runs work in one snapshot. If the work fails because the requested moment is before the history, adds a header with
   * the earliest possible moment to the answer.
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
