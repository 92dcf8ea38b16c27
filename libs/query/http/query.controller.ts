/**
 * Everything below `/pdb/query/v4`. Takes any request there; finds its line in the table of routes, reads the parameters,
 * asks the query bus and streams what comes. Refuses what the table, the parameters or the query itself do not admit.
 */
import { All, Controller, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { AwaitedPosition } from '#database';
import { excerpt, Fault } from '#fault';
import { answerStream, clientGone, jsonType, requireJsonAccepted, type FastifyReply, type FastifyRequest } from '#http';
import { type AstJson, compileQuery } from '../compile';
import { ExplainQuery } from '../run/explain-query';
import { QUERY_OPTIONS, type QueryOptions, targetOf } from '../run/query-options';
import { QueryWatch } from '../run/query-watch';
import { ReportPartQuery } from '../run/report-part-query';
import { RowsQuery } from '../run/rows-query';
import type { Rows, RunLimits } from '../run/statement-runner';
import type { ReportPart } from '../sql/report-parts';
import { astText, nestChains } from './ast-text';
import { matchRoute, type RouteMatch } from './match-route';
import { prettyJson } from './pretty-json';
import { type ReadRequest, readRequest } from './read-request';
import { parametersOfBody, parametersOfUrl } from './request-parameters';
import { parents, type ParentName } from './routes';
import { firstRow, listText, recordText } from './rows-text';
import { readWaitFor, waitUntilPassed } from './wait-for';

export const queryRoot = '/pdb/query/v4';

/** A request on its way to its answer. */
interface Exchange {
  readonly match: RouteMatch;
  readonly read: ReadRequest;
  readonly limits: RunLimits;
  readonly watch: QueryWatch;
  readonly reply: FastifyReply;
}

@Controller('pdb/query/v4')
export class QueryController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  @All(['', '*'])
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = pathBelowRoot(request.url);
    const match = path === undefined ? undefined : matchRoute(path);
    if (match === undefined || (match.route.edition === 'full' && this.options.edition !== 'full'))
      throw new NotFoundException();
    const parameters =
      request.method === 'POST'
        ? parametersOfBody(request, this.options.limits)
        : parametersOfUrl(request.url, this.options.limits);
    const given = await parameters;
    requireJsonAccepted(request.headers.accept);
    if (request.method !== 'GET' && request.method !== 'POST') {
      throw new Fault('malformed', 'query.method', 'Queries must be made via GET or POST');
    }
    void reply.header('content-type', jsonType);
    const read = readRequest(match, given);
    const awaited = read.astOnly ? [] : readWaitFor(request.headers);
    const signal = clientGone(reply);
    const watch = new QueryWatch(path ?? '', read, this.options.onQuery);
    try {
      const timeoutMs = await this.timeLeftAfter(awaited, this.timeoutOf(read), signal);
      await this.answer({ match, read, limits: { signal, timeoutMs }, watch, reply });
    } catch (error) {
      watch.failed(error);
      throw error;
    }
  }

  private answer(exchange: Exchange): Promise<void> {
    const { match, read } = exchange;
    if (read.astOnly) return this.answerAst(exchange);
    if (read.explain) return this.answerPlan(exchange);
    if (match.route.answer === 'record') return this.answerRecord(exchange);
    return match.route.answer === 'report-part' ? this.answerReportPart(exchange) : this.answerList(exchange);
  }

  private async answerList({ match, read, limits, watch, reply }: Exchange): Promise<void> {
    const [request, ...further] = read.requests.map((one) => new RowsQuery(one, limits));
    const rows = await this.queries.execute(request!);
    const { parent } = match.route;
    if (parent !== undefined && rows.empty) await this.requireParent(match, parent, limits);
    if (rows.total !== undefined) void reply.header('x-records', String(rows.total));
    await answerStream(reply, listText(watch.counted(this.concatenated(rows, further)), read.pretty));
  }

  private async answerRecord({ match, read, limits, watch, reply }: Exchange): Promise<void> {
    const [request] = read.requests;
    const rows = await this.queries.execute(new RowsQuery({ ...request, paging: { limit: 1 } }, limits));
    const row = await firstRow(watch.counted(rows.chunks));
    if (row === undefined) throw unknownRecord(match, match.route.parent!);
    await reply.send(recordText(row));
  }

  private async answerReportPart({ match, read, limits, watch, reply }: Exchange): Promise<void> {
    const { path } = match.route;
    const part = path.slice(path.lastIndexOf('/') + 1) as ReportPart;
    const rows = await this.queries.execute(new ReportPartQuery(read.requests[0] ?? {}, part, limits));
    const row = await firstRow(watch.counted(rows.chunks));
    if (row === undefined) await this.requireParent(match, 'report', limits);
    // Reports that are not of an agent's run exist, but these paths have never shown their parts.
    const text = row ?? 'null';
    await reply.send(read.pretty ? prettyJson(text) : text);
  }

  private async answerPlan({ read, limits, watch, reply }: Exchange): Promise<void> {
    const plans: string[] = [];
    for (const request of read.requests) {
      const rows = await this.queries.execute(new ExplainQuery(request, limits));
      const plan = await firstRow(watch.counted(rows.chunks));
      if (plan !== undefined) plans.push(`{"query plan":${plan}}`);
    }
    await reply.send(`[${plans.join(',')}]`);
  }

  /** The query is checked as if it were asked: one that could not be answered is refused here too. */
  private async answerAst({ read: { query, requests }, watch, reply }: Exchange): Promise<void> {
    for (const request of requests) compileQuery(request, targetOf(this.options, 'unasked'));
    const ast = query?.ast ?? null;
    watch.done(0);
    await reply.send(prettyJson(astText(query?.language === 'pql' ? nestChains(ast) : ast)));
  }

  private async requireParent(match: RouteMatch, parent: ParentName, limits: RunLimits): Promise<void> {
    const { entity, field, variable, also } = parents[parent];
    const named: AstJson = ['=', field, match.variables[variable] ?? ''];
    const request = {
      entity,
      ast: ['extract', [field]],
      restrict: also === undefined ? named : ['and', named, also],
      scope: 'all' as const,
      paging: { limit: 1 },
    };
    const rows = await this.queries.execute(new RowsQuery(request, limits));
    if ((await firstRow(rows.chunks)) === undefined) throw unknownRecord(match, parent);
  }

  /** One statement after the other, so that a request never holds more than one connection. */
  private async *concatenated(first: Rows, further: readonly RowsQuery[]): AsyncGenerator<string[]> {
    yield* first.chunks;
    for (const query of further) yield* (await this.queries.execute(query)).chunks;
  }

  /** Waits for the positions; gives what the query has left of its time. */
  private async timeLeftAfter(
    awaited: readonly AwaitedPosition[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<number> {
    if (awaited.length === 0) return timeoutMs;
    const start = performance.now();
    const longest = Math.min(timeoutMs, this.options.waitTimeoutMs);
    await waitUntilPassed(awaited, this.options, { signal, timeoutMs: longest });
    return Math.max(1, timeoutMs - (performance.now() - start));
  }

  private timeoutOf({ timeoutMs }: ReadRequest): number {
    if (timeoutMs === undefined) return this.options.timeoutMs;
    return Math.min(timeoutMs, this.options.maxTimeoutMs ?? Infinity);
  }
}

/** The encoded path below the root, without its leading slash; undefined where the root is followed by a bare slash. */
function pathBelowRoot(url: string): string | undefined {
  const path = (url.split('?', 1)[0] ?? '').slice(queryRoot.length);
  return path === '' ? '' : path.slice(1) || undefined;
}

const unknownRecord = ({ variables }: RouteMatch, parent: ParentName): Fault =>
  new Fault(
    'missing',
    'query.record',
    `No information is known about ${parent} ${excerpt(variables[parents[parent].variable] ?? '')}`,
  );
