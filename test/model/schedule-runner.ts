import { setTimeout as delay } from 'node:timers/promises';
import { Database, positionsOf, type Generation } from '#database';
import { Projector, deleteRemovedRows } from '#projections';
import { lifecycleCommands, writeAgeLimits } from '#wire';
import { testServer } from '../support/postgres';
import { ProjectionBench } from '../support/projection';
import { Model, type Place } from './model';
import {
  type CommandStep,
  type Document,
  isCommand,
  limitsOf,
  type LimitsStep,
  type ScheduleStep,
  submission,
} from './steps';
import { inOrder, rowsBetween, storedTimeline, type TimelineRow, volatileFacts } from './timeline-model';
import { storedCertnames, storedNode, unordered } from './stored';

const preyName = 'nodeledger-prey';
const partitions = 3;

/** A schedule and its model. */
export interface Played {
  readonly prefix: string;
  readonly model: Model;
  readonly timeline: TimelineRow[];
  /** The names of all nodes that it had. */
  readonly certnames: Set<string>;
}

/**
 * Plays schedules with one log and one database, each with its own certnames, so the rows of earlier schedules exist
 * when the next one begins.
 */
export class ScheduleRunner {
  private runs = 0;
  private received = 0;
  readonly models: Played[] = [];

  private constructor(
    readonly bench: ProjectionBench,
    /** The connections of the projectors, which differ from those of the test. */
    private readonly prey: Database,
  ) {}

  static async open(): Promise<ScheduleRunner> {
    const bench = await ProjectionBench.open(partitions, true, volatileFacts);
    const [found] = await bench.db.query<{ name: string }>({ text: 'SELECT current_database() AS name', values: [] });
    const url = new URL(await testServer());
    url.pathname = `/${found!.name}`;
    return new ScheduleRunner(bench, new Database({ connectionString: url.href, max: 6, applicationName: preyName }));
  }

  async close(): Promise<void> {
    await this.prey.close();
    await this.bench.close();
  }

  /** Plays the steps and lets a projector finish. Returns the prefix of the certnames and the expected rows. */
  async play(steps: readonly ScheduleStep[]): Promise<Played> {
    const prefix = `r${++this.runs}-`;
    const played: Played = { prefix, model: new Model(), timeline: [], certnames: new Set() };
    for (const step of steps) {
      if (isCommand(step)) await this.submit(step, played);
      else if (step.do === 'limits') await this.limit(step, played);
      else if (step.do === 'settle') await this.settle(this.bench.generation, step);
      else if (step.do === 'abort') await this.abort(step.afterMs, step.batch);
      else await Promise.all([this.settle(this.bench.generation, step), this.kill(step.afterMs)]);
    }
    await this.settle(this.bench.generation, { batch: 200 });
    this.models.push(played);
    return played;
  }

  private async submit(step: CommandStep, played: Played): Promise<void> {
    const { command, certname, ...rest } = submission(step, `${played.prefix}${step.node}`);
    const receivedAt = Date.UTC(2026, 0, 1, 0, 0, 2) + this.received++;
    const place = await this.bench.submit(command, certname, { ...rest, receivedAt });
    const document = command === 'apply age limits' ? undefined : rest.document;
    noting(played, [certname], place, document, (model) =>
      model.apply({ command, certname, ...rest }, receivedAt, place),
    );
  }

  /** Age limits apply to all nodes of the log, including those of earlier schedules. */
  private async limit(step: LimitsStep, current: Played): Promise<void> {
    const { command, version } = lifecycleCommands.applyAgeLimits;
    for (let partition = 0; partition < partitions; partition++) {
      const document = limitsOf(step, partition, partitions);
      const receivedAt = Date.UTC(2026, 0, 1, 0, 0, 2) + this.received++;
      const payload = writeAgeLimits(document);
      const place = await this.bench.submit(command, document.certname, { version, payload, receivedAt });
      for (const played of [...this.models, current]) {
        const names = [...played.model.nodes.keys()];
        const none = { purge: null, reportsBefore: null, eventsBefore: null };
        // The same record can expire and purge a node.
        noting(played, names, place, undefined, (model) => model.limit({ ...document, ...none }, place));
        noting(played, names, place, undefined, (model) => model.limit({ ...document, expiry: null }, place));
      }
    }
  }

  /** Runs projectors until every record is applied, then deletes the rows that age limits remove. */
  async settle(
    generation: Generation,
    { projectors = 1, batch }: { projectors?: number; batch: number },
  ): Promise<void> {
    const ends = await this.bench.log.ends();
    const stop = new AbortController();
    const running = Promise.all(
      Array.from({ length: projectors }, () => this.projector(generation, batch).run(stop.signal)),
    );
    running.catch(() => stop.abort());
    try {
      while (!stop.signal.aborted) {
        const positions = await positionsOf(this.bench.db, generation.generation);
        if ([...ends].every(([partition, end]) => (positions.get(partition)?.nextOffset ?? 0) >= end)) break;
        await delay(5);
      }
    } finally {
      stop.abort();
    }
    await running;
    await deleteRemovedRows(this.bench.db, generation);
  }

  private async abort(afterMs: number, batch: number): Promise<void> {
    const stop = new AbortController();
    const running = this.projector(this.bench.generation, batch).run(stop.signal);
    await delay(afterMs);
    stop.abort();
    await running;
  }

  /** Cancels the current statements of the projectors after this many milliseconds, or as soon as there are any. */
  private async kill(afterMs: number): Promise<void> {
    await delay(afterMs);
    for (let attempt = 0; attempt < 20; attempt++) {
      const ended = await this.bench.db.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = $1 AND state <> 'idle'`,
        values: [preyName],
      });
      if (ended.length > 0) return;
    }
  }

  private projector(generation: Generation, batchRecords: number): Projector {
    return this.bench.projector({ db: this.prey, generation, batchRecords });
  }

  /** Returns the rows of a schedule in a generation, and the rows of the model, both by certname. */
  async compare(
    generation: Generation,
    { prefix, model }: { prefix: string; model: Model },
  ): Promise<{ stored: Record<string, unknown>; expected: Record<string, unknown> }> {
    const stored: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const certname of await storedCertnames(this.bench.db, generation.schema, prefix)) {
      stored[certname] = unordered((await storedNode(this.bench.db, generation.schema, certname))!);
    }
    for (const certname of model.nodes.keys()) expected[certname] = unordered(model.view(certname)!);
    return { stored, expected };
  }

  /** Returns the timeline of a schedule in a generation, and that of the model. */
  async compareTimeline(
    { schema }: Generation,
    { certnames, timeline }: Played,
  ): Promise<{ stored: TimelineRow[]; expected: TimelineRow[] }> {
    return { stored: await storedTimeline(this.bench.db, schema, [...certnames]), expected: inOrder(timeline) };
  }

  /** Returns the number of dead letters about nodes with the prefix. */
  async deadLetters(prefix: string): Promise<number> {
    const [found] = await this.bench.db.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM nodeledger.dead_letters WHERE starts_with(certname, $1)`,
      values: [prefix],
    });
    return found!.count;
  }
}

/** Applies a record to the model, and adds what it changes to the timeline. */
function noting(
  { model, timeline, certnames }: Played,
  of: readonly string[],
  { partition, offset }: Place,
  document: Document | undefined,
  apply: (model: Model) => void,
): void {
  const before = of.map((certname) => model.view(certname));
  apply(model);
  for (const [index, certname] of of.entries()) {
    certnames.add(certname);
    const rows = rowsBetween(before[index], model.view(certname), document);
    for (const row of rows) timeline.push({ certname, partition, offset, ...row });
  }
}

/** Number of schedules of a property: NODELEDGER_PROPERTY_RUNS sets more. */
export const propertyRuns = (usual: number): number => Number(process.env['NODELEDGER_PROPERTY_RUNS'] ?? usual);
