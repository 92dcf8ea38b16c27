import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CompiledQuery } from '../compile';
import type { Snapshot } from './snapshot';

export interface Rows {
  /** The number of rows without limit and offset, if the query has a statement for it. */
  readonly total?: number;
  /** JSON texts, at least one a chunk. */
  readonly chunks: AsyncIterable<string[]>;
}

/** Reads the rows of a query. */
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
