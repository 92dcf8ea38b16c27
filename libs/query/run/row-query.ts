import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Sql } from '#database';
import type { Snapshot } from './snapshot';

export class RowQuery extends Query<string | undefined> {
  constructor(
    readonly statement: Sql,
    readonly snapshot: Snapshot,
  ) {
    super();
  }
}

@QueryHandler(RowQuery)
export class RowHandler implements IQueryHandler<RowQuery> {
  execute({ statement, snapshot }: RowQuery): Promise<string | undefined> {
    return snapshot.one(statement);
  }
}
