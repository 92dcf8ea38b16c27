import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import type { Snapshot } from './snapshot';

export interface Rows {
  /** The number of rows that paging leaves out of account, where it was asked for. */
  readonly total?: number;
  /** JSON texts, at least one a chunk. */
  readonly chunks: AsyncIterable<string[]>;
}

/** Asks for the rows of an entity. */
export class RowsQuery extends Query<Rows> {
  constructor(
    readonly request: QueryRequest,
    readonly snapshot: Snapshot,
  ) {
    super();
  }
}

@QueryHandler(RowsQuery)
export class RowsHandler implements IQueryHandler<RowsQuery> {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  async execute({ request, snapshot }: RowsQuery): Promise<Rows> {
    const { rows, total } = compileQuery(request, targetOf(this.options, snapshot));
    const counted = total === undefined ? undefined : Number(await snapshot.one(total));
    return { chunks: snapshot.rows(rows), ...(counted === undefined ? {} : { total: counted }) };
  }
}
