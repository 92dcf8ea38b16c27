import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import { type Rows, type RunLimits, StatementRunner } from './statement-runner';

/** Asks for the rows of an entity. */
export class RowsQuery extends Query<Rows> {
  constructor(
    readonly request: QueryRequest,
    readonly limits: RunLimits,
  ) {
    super();
  }
}

@QueryHandler(RowsQuery)
export class RowsHandler implements IQueryHandler<RowsQuery> {
  constructor(
    private readonly runner: StatementRunner,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  execute({ request, limits }: RowsQuery): Promise<Rows> {
    return this.runner.open((schema) => compileQuery(request, targetOf(this.options, schema)), limits);
  }
}
