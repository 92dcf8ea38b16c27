import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { reportPart, type ReportPart } from '../sql/report-parts';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import { type Rows, type RunLimits, StatementRunner } from './statement-runner';

/** Asks for the logs, metrics or resources of one report: one row, a JSON list; no row where there is no such report. */
export class ReportPartQuery extends Query<Rows> {
  constructor(
    /** Selects the report; what it extracts is replaced. */
    readonly report: QueryRequest,
    readonly part: ReportPart,
    readonly limits: RunLimits,
  ) {
    super();
  }
}

@QueryHandler(ReportPartQuery)
export class ReportPartHandler implements IQueryHandler<ReportPartQuery> {
  constructor(
    private readonly runner: StatementRunner,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  execute({ report, part, limits }: ReportPartQuery): Promise<Rows> {
    const request = { ...report, ast: ['extract', [part]] };
    return this.runner.open((schema) => {
      const compiled = compileQuery(request, targetOf(this.options, schema));
      return { rows: reportPart(compiled.rows, part) };
    }, limits);
  }
}
