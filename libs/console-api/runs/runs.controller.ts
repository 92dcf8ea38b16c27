import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described } from '#openapi';
import { refusedParameter, type RequestParameters } from '#query';
import { FleetReader, type FleetRequest } from '../reading/fleet-reader';
import { readDurationOf } from '../reading/parameters';
import { describeRuns } from './describe-runs';
import { type Bucket, bucketMs, RunCounts, type RunKind, runKinds } from './run-counts';
import { bucketsSql, codesSql } from './runs-sql';

const mostMarks = 50;
const longestEnvironment = 1_000;
/**
 * Longest age, in milliseconds, of the cached numbers of nodes for each code_id. These numbers change slowly, because a
 * node gets a new code_id only with its next run.
 */
const codesSharedMs = 10_000;

interface Window {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly environment: string | undefined;
}

@Controller('nodeledger/v1/runs')
export class RunsController {
  private readonly counts = new RunCounts();

  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeRuns)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, ['window', 'step', 'environment']);
    const { window, buckets, codes } = await (received.isPast ? pastRuns(received) : this.presentRuns(received));
    received.send(
      JSON.stringify({
        step: window.step / 1_000,
        buckets: summed(buckets, window),
        marks: marksOf(buckets, window, JSON.parse(codes) as [string, string, number][]),
      }),
    );
  }

  private async presentRuns(received: FleetRequest): Promise<Runs> {
    const window = readWindow(received.parameters, Date.now());
    const buckets = await this.counts.between(window.from - bucketMs, window.to, (from, to) =>
      received.readForAll(async ({ one }) => readBuckets(await one(bucketsSql(from, to)))),
    );
    const codes = await received.shared('codes', codesSharedMs, ({ one }) => one(codesSql));
    return { window, buckets, codes };
  }
}

interface Runs {
  readonly window: Window;
  readonly buckets: ReadonlyMap<number, Bucket>;
  /** Rows of `codesSql`, as JSON. */
  readonly codes: string;
}

/** Reads the runs as of a past time. Does not use the cache, because few requests ask about the past. */
const pastRuns = (received: FleetRequest): Promise<Runs> =>
  received.read(async ({ one, timeMs }) => {
    const window = readWindow(received.parameters, timeMs);
    const buckets = readBuckets(await one(bucketsSql(window.from - bucketMs, window.to)));
    return { window, buckets, codes: await one(codesSql) };
  });

function readWindow(parameters: RequestParameters, now: number): Window {
  const window = readDurationOf(parameters, 'window', { absent: '24h', least: '30m', most: '14d' });
  const step = readDurationOf(parameters, 'step', { absent: '30m', least: '30m', most: '1d' });
  if (step % bucketMs !== 0) throw refusedParameter('step is a multiple of 30m.');
  const environment = parameters.text('environment');
  if (environment !== undefined && environment.length > longestEnvironment)
    throw refusedParameter(`environment has at most ${longestEnvironment} characters.`);
  const to = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  const from = Math.floor((now - window) / step) * step;
  return { from, to, step, environment };
}

function readBuckets(json: string): ReadonlyMap<number, Bucket> {
  const { runs, codes } = JSON.parse(json) as {
    runs: [number, string | null, RunKind, number][];
    codes: [number, string, string, string][];
  };
  const found = new Map<number, { runs: Bucket['runs'][number][]; codes: Bucket['codes'][number][] }>();
  const at = (start: number) => {
    const bucket = found.get(start) ?? { runs: [], codes: [] };
    found.set(start, bucket);
    return bucket;
  };
  for (const [start, environment, kind, count] of runs) at(start).runs.push({ environment, kind, count });
  for (const [start, environment, code_id, first] of codes)
    at(start).codes.push({ environment, code_id, first: new Date(first).toISOString() });
  return found;
}

function summed(buckets: ReadonlyMap<number, Bucket>, { from, to, step, environment }: Window): object[] {
  const steps: object[] = [];
  for (let start = from; start < to; start += step) {
    const counts: Record<RunKind, number> = { failed: 0, noop: 0, changed: 0, unchanged: 0 };
    for (let at = start; at < start + step; at += bucketMs)
      for (const run of buckets.get(at)?.runs ?? [])
        if (environment === undefined || run.environment === environment) counts[run.kind] += run.count;
    steps.push({
      at: new Date(start).toISOString(),
      ...Object.fromEntries(runKinds.map((kind) => [kind, counts[kind]])),
    });
  }
  return steps;
}

/** Returns the marks in the window. A mark shows when an environment had its first run with a new code_id. */
function marksOf(
  buckets: ReadonlyMap<number, Bucket>,
  { from, environment }: Window,
  codes: readonly [environment: string, code: string, nodes: number][],
): object[] {
  const key = (name: string, code: string): string => JSON.stringify([name, code]);
  const nodes = new Map(codes.map(([name, code, count]) => [key(name, code), count]));
  const marks = new Map<string, { at: string; environment: string; code_id: string; nodes: number } | undefined>();
  for (const [start, bucket] of [...buckets].sort(([one], [other]) => one - other))
    for (const { environment: name, code_id, first } of bucket.codes) {
      const of = key(name, code_id);
      if (marks.has(of) || (environment !== undefined && name !== environment)) continue;
      // A code_id that occurs before the window is not new, so it gets no mark.
      marks.set(of, start < from ? undefined : { at: first, environment: name, code_id, nodes: nodes.get(of) ?? 0 });
    }
  return [...marks.values()].filter((mark) => mark !== undefined).slice(-mostMarks);
}
