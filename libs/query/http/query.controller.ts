/**
 * Everything below `/pdb/query/v4`. Takes any request there; finds its line in the table of routes, waits for a place,
 * reads the parameters, asks the query bus in one snapshot and streams what comes. Refuses what the table, the parameters or the query itself do not admit.
 */
import { All, Controller, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { orAborted } from '#database';
import { excerpt, Fault } from '#fault';
import {
  answerStream,
  answerText,
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  jsonType,
  requestIdentity,
} from '#http';
import { Described } from '#openapi';
import { type AstJson, compileQuery } from '../compile';
import { Deadline } from '../run/deadline';
import { ExplainQuery } from '../run/explain-query';
import { languageOf, QUERY_OPTIONS, type QueryOptions, targetOf } from '../run/query-options';
import { QueryRunner, type RunLimits } from '../run/query-runner';
import { QueryWatch } from '../run/query-watch';
import { ReportPartQuery } from '../run/report-part-query';
import { RowsQuery } from '../run/rows-query';
import type { Snapshot } from '../run/snapshot';
import type { ReportPart } from '../sql/report-parts';
import { acceptedFormat, type AnswerFormat, answerFormats } from './answer-format';
import { astText, nestChains } from './ast-text';
import { describeQueries } from './descriptions/describe-queries';
import type { RouteMatch } from './match-route';
import { prettyJson } from './pretty-json';
import { matchOf, nameOfQuery } from './query-route';
import { type ReadRequest, readRequest, readTimeout } from './read-request';
import { parametersOfBody, parametersOfUrl } from './request-parameters';
import { parents, type ParentName } from './routes';
import { firstRow, recordText } from './rows-text';
import { readWaitFor, waitUntilPassed } from './wait-for';

/** A request on its way to its answer. */
interface Exchange {
  readonly match: RouteMatch;
  readonly read: ReadRequest;
  /** Of lists. */
  readonly format: AnswerFormat;
  readonly limits: RunLimits;
  readonly watch: QueryWatch;
  readonly reply: FastifyReply;
}

@Controller('pdb/query/v4')
export class QueryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly runner: QueryRunner,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  @All(['', '*'])
  @Described(describeQueries)
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const match = matchOf(request);
    if (match === undefined || (match.route.edition === 'full' && this.options.edition !== 'full'))
      throw new NotFoundException();
    const language = languageOf(this.options);
    const watch = new QueryWatch(requestIdentity(request), nameOfQuery(match.route), this.options.onQuery);
    const gone = clientGone(reply);
    let deadline = new Deadline(this.options.timeoutMs);
    try {
      let given = request.method === 'POST' ? undefined : parametersOfUrl(request.url, this.options.limits);
      // It chooses the format, and whether there is an answer at all (406).
      void reply.header('vary', 'Accept');
      const accepted = acceptedFormat(request.headers.accept, match.route.answer === 'list', language);
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw new Fault('malformed', 'query.method', 'Queries must be made via GET or POST');
      }
      void reply.header('content-type', jsonType);
      if (given !== undefined) deadline = deadline.shortened(readTimeout(given));
      await this.waitForPositions(request, deadline, gone);
      // A place is taken before the query is read: those who wait hold the text of their query, not what it becomes.
      const place = await this.options.places.take({
        address: clientAddress(request),
        gone,
        reader: clientReading(reply),
        waitMs: deadline.remainingMs(),
      });
      try {
        given ??= await parametersOfBody(request, this.options.limits);
        const read = readRequest(match, given, language);
        watch.comesFrom(read.origin);
        const asks = (statement: string): void => watch.asks(statement);
        const limits = { deadline: deadline.shortened(read.timeoutMs), place, gone, asks };
        await this.answer({ match, read, format: read.format ?? accepted, limits, watch, reply });
      } finally {
        place.leave();
      }
      watch.done();
    } catch (error) {
      watch.failed(error);
      throw error;
    }
  }

  private answer(exchange: Exchange): Promise<void> {
    const { match, read, limits } = exchange;
    if (read.astOnly) {
      const { deadline, place, gone } = limits;
      return deadline.during([gone, place.lost], (signal) => orAborted(this.answerAst(exchange), signal));
    }
    return this.runner.run(limits, (snapshot) => {
      if (read.explain) return this.answerPlan(exchange, snapshot);
      if (match.route.answer === 'record') return this.answerRecord(exchange, snapshot);
      return match.route.answer === 'report-part'
        ? this.answerReportPart(exchange, snapshot)
        : this.answerList(exchange, snapshot);
    });
  }

  private async answerList({ match, read, format, watch, reply }: Exchange, snapshot: Snapshot): Promise<void> {
    const parts: AsyncIterable<string[]>[] = [];
    for (const request of read.requests) {
      const { chunks, total } = await this.queries.execute(new RowsQuery(request, snapshot));
      if (total !== undefined) void reply.header('x-records', String(total));
      parts.push(chunks);
    }
    const { parent } = match.route;
    const ifEmpty = parent === undefined ? undefined : () => this.requireParent(match, parent, snapshot);
    const rows = watch.counted(allRows(parts, snapshot, ifEmpty));
    const { type, write } = answerFormats[format];
    void reply.header('content-type', type);
    await answerStream(reply, write(rows, read.pretty));
  }

  private async answerRecord({ match, read, watch, reply }: Exchange, snapshot: Snapshot): Promise<void> {
    const [request] = read.requests;
    const rows = await this.queries.execute(new RowsQuery({ ...request, paging: { limit: 1 } }, snapshot));
    const row = await firstRow(watch.counted(rows.chunks));
    snapshot.end();
    if (row === undefined) throw unknownRecord(match, match.route.parent!);
    await answerText(reply, recordText(row));
  }

  private async answerReportPart({ match, read, watch, reply }: Exchange, snapshot: Snapshot): Promise<void> {
    const { path } = match.route;
    const part = path.slice(path.lastIndexOf('/') + 1) as ReportPart;
    const row = watch.one(await this.queries.execute(new ReportPartQuery(read.requests[0] ?? {}, part, snapshot)));
    if (row === undefined) await this.requireParent(match, 'report', snapshot);
    snapshot.end();
    // Reports that are not of an agent's run exist, but these paths have never shown their parts.
    const text = row ?? 'null';
    await answerText(reply, read.pretty ? prettyJson(text) : text);
  }

  private async answerPlan({ read, watch, reply }: Exchange, snapshot: Snapshot): Promise<void> {
    const plans: string[] = [];
    for (const request of read.requests) {
      const plan = watch.one(await this.queries.execute(new ExplainQuery(request, snapshot)));
      if (plan !== undefined) plans.push(`{"query plan":${plan}}`);
    }
    snapshot.end();
    await answerText(reply, `[${plans.join(',')}]`);
  }

  /** The query is checked as if it were asked: one that could not be answered is refused here too. */
  private async answerAst({ read: { query, requests }, reply }: Exchange): Promise<void> {
    for (const request of requests) compileQuery(request, targetOf(this.options, { schema: 'unasked' }));
    const ast = query?.ast ?? null;
    await answerText(reply, prettyJson(astText(query?.language === 'pql' ? nestChains(ast) : ast)));
  }

  private async requireParent(match: RouteMatch, parent: ParentName, snapshot: Snapshot): Promise<void> {
    const { entity, field, variable, also } = parents[parent];
    const named: AstJson = ['=', field, match.variables[variable] ?? ''];
    const request = {
      entity,
      ast: ['extract', [field]],
      restrict: also === undefined ? named : ['and', named, also],
      scope: 'all' as const,
      paging: { limit: 1 },
    };
    const rows = await this.queries.execute(new RowsQuery(request, snapshot));
    if ((await firstRow(rows.chunks)) === undefined) throw unknownRecord(match, parent);
  }

  private async waitForPositions(request: FastifyRequest, deadline: Deadline, gone: AbortSignal): Promise<void> {
    const awaited = readWaitFor(request.headers);
    if (awaited.length === 0) return;
    const timeoutMs = Math.min(deadline.timeoutMs, this.options.waitTimeoutMs);
    await waitUntilPassed(awaited, this.options.waits, {
      signal: gone,
      timeoutMs,
      address: clientAddress(request),
    });
  }
}

/**
 * The rows of all parts, one part after the other; `ifEmpty` where there are none. Gives the connection back as soon as
 * the last row is there, however long the client takes to read it.
 */
async function* allRows(
  parts: readonly AsyncIterable<string[]>[],
  snapshot: Snapshot,
  ifEmpty?: () => Promise<void>,
): AsyncGenerator<string[]> {
  let empty = true;
  try {
    for (const part of parts) {
      for await (const chunk of part) {
        empty = false;
        yield chunk;
      }
    }
    if (empty) await ifEmpty?.();
  } finally {
    snapshot.end();
  }
}

const unknownRecord = ({ variables }: RouteMatch, parent: ParentName): Fault =>
  new Fault(
    'missing',
    'query.record',
    `No information is known about ${parent} ${excerpt(variables[parents[parent].variable] ?? '')}`,
  );
