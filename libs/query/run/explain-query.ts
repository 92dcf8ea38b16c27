import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { explainAnalyze } from '../sql/explain';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import { type Rows, type RunLimits, StatementRunner } from './statement-runner';

/** Runs a query for its plan and what it cost: one row, PostgreSQL's plan as JSON. */
export class ExplainQuery extends Query<Rows> {
  constructor(
    readonly request: QueryRequest,
    readonly limits: RunLimits,
  ) {
    super();
  }
}

@QueryHandler(ExplainQuery)
export class ExplainHandler implements IQueryHandler<ExplainQuery> {
  constructor(
    private readonly runner: StatementRunner,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  execute({ request, limits }: ExplainQuery): Promise<Rows> {
    return this.runner.open(
      (schema) => ({ rows: explainAnalyze(compileQuery(request, targetOf(this.options, schema)).rows) }),
      limits,
    );
  }
}
