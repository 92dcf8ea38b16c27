import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CompiledQuery } from '../compile';
import type { Snapshot } from './snapshot';

export interface Rows {
  /** Number of rows without limit and offset. Absent if the client did not ask for this number. */
  readonly total?: number;
  /** Chunks of rows in JSON. Each chunk contains at least one row. */
  readonly chunks: AsyncIterable<string[]>;
}

export class RowsQuery extends Query<Rows> {
  constructor(
    readonly compiled: CompiledQuery,
    readonly snapshot: Snapshot,
  ) {
    super();
  }
}

@QueryHandler(RowsQuery)
export class RowsHandler implements IQueryHandler<RowsQuery> {
  async execute({ compiled: { rows, total }, snapshot }: RowsQuery): Promise<Rows> {
    const counted = total === undefined ? undefined : Number(await snapshot.one(total));
    return { chunks: snapshot.rows(rows), ...(counted === undefined ? {} : { total: counted }) };
  }
}
