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
  requestBody,
  requestIdentity,
  requireJsonContent,
} from '#http';
import { overLimit } from '#limits';
import { Described } from '#openapi';
import { malformed } from '../ast/malformed';
import { type AstJson, compileQuery } from '../compile';
import { Deadline } from '../run/deadline';
import { languageOf, QUERY_OPTIONS, type QueryOptions, settingsOf, targetOf } from '../run/query-options';
import { QueryRunner, type RunLimits } from '../run/query-runner';
import { QueryRecorder } from '../run/query-recorder';
import { RowQuery } from '../run/row-query';
import { RowsQuery } from '../run/rows-query';
import type { Snapshot } from '../run/snapshot';
import { acceptedFormat, answerFormats } from './answer-format';
import type { CompiledRequest } from './compile-request';
import { describeQueries } from './descriptions/describe-queries';
import type { AnswerFormat } from './format-parameter';
import type { RouteMatch } from './match-route';
import { goBack } from './go-back';
import { prettyPieces } from './pretty-json';
import { matchOf, nameOfQuery } from './query-route';
import { readTimeout } from './read-request';
import { RequestCompiler } from './request-compiler';
import { parametersOfUrl } from './request-parameters';
import { parents, type ParentName } from './routes';
import { recordText } from './rows-text';
import { readWaitFor, waitUntilPassed } from './wait-for';

interface Exchange {
  readonly match: RouteMatch;
  readonly compiled: CompiledRequest;
  readonly format: AnswerFormat;
  readonly limits: RunLimits;
  readonly recorder: QueryRecorder;
  readonly reply: FastifyReply;
}

@Controller('pdb/query/v4')
export class QueryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly runner: QueryRunner,
    private readonly compiler: RequestCompiler,
    @Inject(QUERY_OPTIONS) private readonly options: QueryOptions,
  ) {}

  @All(['', '*'])
  @Described(describeQueries)
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const match = matchOf(request);
    if (match === undefined || (match.route.edition === 'full' && this.options.edition !== 'full'))
      throw new NotFoundException();
    const language = languageOf(this.options);
    const recorder = new QueryRecorder(requestIdentity(request), nameOfQuery(match.route), this.options.onQuery);
    const gone = clientGone(reply);
    const address = clientAddress(request);
    let deadline = new Deadline(this.options.timeoutMs);
    try {
      void reply.header('vary', 'Accept');
      const accepted = acceptedFormat(request.headers.accept, match.route.answer === 'list', language);
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw malformed('method', 'Queries must be made via GET or POST');
      }
      void reply.header('content-type', jsonType);
      if (request.method === 'GET') {
        deadline = deadline.shortened(readTimeout(parametersOfUrl(request.url, this.options.limits)));
      }
      await this.waitForPositions(request, deadline, gone);
      // Takes the permit before parsing the query, because the text of a waiting query needs less memory than the
      // parsed query.
      const permit = await this.options.permits.take({
        address,
        gone,
        reader: clientReading(reply),
        waitMs: deadline.remainingMs(),
      });
      try {
        const body = request.method === 'POST' ? await this.bodyOf(request) : undefined;
        const text = { match, url: request.url, ...(body && { body }), settings: settingsOf(this.options) };
        const compiled = await deadline.during([gone, permit.lost], (signal) =>
          this.compiler.compile(text, { address, signal }),
        );
        recorder.comesFrom(compiled.origin);
        const onStatement = (statement: string): void => recorder.statement(statement);
        const limits = { deadline: deadline.shortened(compiled.timeoutMs), permit, gone, onStatement };
        await this.answer({ match, compiled, format: compiled.format ?? accepted, limits, recorder, reply });
      } finally {
        permit.leave();
      }
      recorder.done();
    } catch (error) {
      recorder.failed(error);
      throw error;
    }
  }

  private answer(exchange: Exchange): Promise<void> {
    const { match, compiled, limits, reply } = exchange;
    const { ast } = compiled;
    if (ast !== undefined) {
      const { deadline, permit, gone } = limits;
      return deadline.during([gone, permit.lost], (signal) => orAborted(answerText(reply, ast), signal));
    }
    return this.runner.run(limits, async (snapshot) => {
      if (compiled.moment !== undefined) await goBack(compiled.moment, snapshot, reply);
      if (compiled.explain) return this.answerPlan(exchange, snapshot);
      if (match.route.answer === 'record') return this.answerRecord(exchange, snapshot);
      return match.route.answer === 'report-part'
        ? this.answerReportPart(exchange, snapshot)
        : this.answerList(exchange, snapshot);
    });
  }

  private async answerList({ match, compiled, format, recorder, reply }: Exchange, snapshot: Snapshot): Promise<void> {
    const parts: AsyncIterable<string[]>[] = [];
    for (const statement of compiled.statements) {
      const { chunks, total } = await this.queries.execute(new RowsQuery(statement, snapshot));
      if (total !== undefined) void reply.header('x-records', String(total));
      parts.push(chunks);
    }
    const { parent } = match.route;
    const ifEmpty = parent === undefined ? undefined : () => this.requireParent(match, parent, snapshot);
    const rows = recorder.counted(allRows(parts, snapshot, ifEmpty));
    const { type, write } = answerFormats[format];
    void reply.header('content-type', type);
    await answerStream(reply, write(rows, compiled.pretty));
  }

  private async answerRecord(exchange: Exchange, snapshot: Snapshot): Promise<void> {
    const { match, reply } = exchange;
    const [row] = await this.readEach(exchange, snapshot);
    snapshot.end();
    if (row === undefined) throw unknownRecord(match, match.route.parent!);
    await answerText(reply, recordText(row));
  }

  private async answerReportPart(exchange: Exchange, snapshot: Snapshot): Promise<void> {
    const { match, compiled, reply } = exchange;
    const [row] = await this.readEach(exchange, snapshot);
    if (row === undefined) await this.requireParent(match, 'report', snapshot);
    snapshot.end();
    // If there is no row, the report exists but is not from an agent run. PuppetDB never shows parts of such a report
    // at these paths.
    const text = row ?? 'null';
    await answerText(reply, compiled.pretty ? prettyPieces(text) : text);
  }

  private async answerPlan(exchange: Exchange, snapshot: Snapshot): Promise<void> {
    const plans = await this.readEach(exchange, snapshot);
    snapshot.end();
    await answerText(exchange.reply, `[${plans.map((plan) => `{"query plan":${plan}}`).join(',')}]`);
  }

  private async readEach({ compiled, recorder }: Exchange, snapshot: Snapshot): Promise<string[]> {
    const found: string[] = [];
    for (const { rows } of compiled.statements) {
      const row = recorder.one(await this.queries.execute(new RowQuery(rows, snapshot)));
      if (row !== undefined) found.push(row);
    }
    return found;
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
    const { rows } = compileQuery(request, { ...targetOf(this.options), isPast: snapshot.isPast });
    if ((await this.queries.execute(new RowQuery(rows, snapshot))) === undefined) throw unknownRecord(match, parent);
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

  private bodyOf(request: FastifyRequest): Promise<Buffer> {
    const { limits } = this.options;
    requireJsonContent(request.headers['content-type']);
    return requestBody(request, limits.queryBodyBytes, (found) => overLimit(limits, 'queryBodyBytes', found));
  }
}

/**
 * Yields the rows of all statements, and calls `ifEmpty` if no statement returns a row. Releases the connection as soon
 * as PostgreSQL has sent the last row, before the client has read all rows.
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
