import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { explainAnalyze } from '../sql/explain';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import type { Snapshot } from './snapshot';

/** Runs a query for its plan and what it cost: PostgreSQL's plan as JSON. */
export class ExplainQuery extends Query<string | undefined> {
  constructor(
    readonly request: QueryRequest,
    readonly snapshot: Snapshot,
  ) {
    super();
  }
}

@QueryHandler(ExplainQuery)
export class ExplainHandler implements IQueryHandler<ExplainQuery> {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  async execute({ request, snapshot }: ExplainQuery): Promise<string | undefined> {
    return snapshot.one(explainAnalyze(compileQuery(request, targetOf(this.options, snapshot)).rows));
  }
}
