import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { compileQuery, type QueryRequest } from '../compile';
import { reportPart, type ReportPart } from '../sql/report-parts';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from './query-options';
import type { Snapshot } from './snapshot';

/** Asks for the logs, metrics or resources of one report: a JSON list; undefined where there is no such report. */
export class ReportPartQuery extends Query<string | undefined> {
  constructor(
    /** Selects the report; what it extracts is replaced. */
    readonly report: QueryRequest,
    readonly part: ReportPart,
    readonly snapshot: Snapshot,
  ) {
    super();
  }
}

@QueryHandler(ReportPartQuery)
export class ReportPartHandler implements IQueryHandler<ReportPartQuery> {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  async execute({ report, part, snapshot }: ReportPartQuery): Promise<string | undefined> {
    const request = { ...report, ast: ['extract', [part]] };
    return snapshot.one(reportPart(compileQuery(request, targetOf(this.options, snapshot)).rows, part));
  }
}
