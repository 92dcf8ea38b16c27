/**
 * Fills a new generation from the log, compares the new generation with the live generation, and makes the new
 * generation live in one transaction. During the rebuild, the service accepts commands and answers queries. The
 * previous generation is kept with the state `retired`.
 */
import {
  Generations,
  withMaintenanceLock,
  type Generation,
  type GenerationState,
  type ListedGeneration,
  positionsOf,
} from '#database';
import { Fault } from '#fault';
import { firstWithPast, readPastState } from '../history/kept-past';
import { newTables } from '../history/new-tables';
import { firstWithTimeline, readVolatileNames } from '../timeline/volatile-facts';
import { deleteRemovedRows } from '../maintenance/delete-removed-rows';
import { projectionVersion } from '../schema/read-tables';
import { atOnePosition, followLive } from './at-one-position';
import { compareGenerations, type Comparison } from './compare-generations';
import { recordsBetween, offsetsOf, replayTo, stopIfAborted } from './replay';
import { refuseOtherForm } from './refuse-other-form';
import type { ReplayContext } from './replay-context';

export interface RebuildOptions {
  readonly resume?: boolean | undefined;
  readonly restart?: boolean | undefined;
  /** Does everything except the switch, and drops the new tables. */
  readonly dryRun?: boolean | undefined;
  /** Switches even if the rebuilt tables differ from the live tables, or if the log ends before the live position. */
  readonly acceptDifferences?: boolean | undefined;
  /**
   * Fills new tables only up to these offsets. The live tables stay live, and the new tables are kept next to them. A
   * partition without an offset is filled up to the live position.
   */
  readonly toPosition?: ReadonlyMap<number, number> | undefined;
}

export interface RebuildOutcome {
  readonly generation: number;
  readonly schema: string;
  readonly records: number;
  readonly seconds: number;
  readonly switched: boolean;
  /** Absent if the new tables were not compared with live tables. */
  readonly comparison?: Comparison;
}

/**
 * Throws `maintenance.busy`, `maintenance.stopped`, `replay.half-built`, `replay.differences` (with the Comparison in
 * `details`), `replay.foreign-log`, `replay.shorter-log` or `replay.nothing-to-resume`.
 */
export async function rebuild(context: ReplayContext, options: RebuildOptions = {}): Promise<RebuildOutcome> {
  return withMaintenanceLock(context.db, async () => {
    const startedAt = performance.now();
    await dropLeftovers(context.db);
    const live = await findLiveGeneration(context);
    if (live !== undefined) {
      refuseNewerForm(live);
      await checkBelongs(context, live, options);
    }
    const filling =
      options.toPosition !== undefined
        ? fillToPosition(context, options.toPosition, live)
        : fillAndSwitch(context, options, live);
    const outcome = await filling.catch(async (error: unknown) => {
      // A dry run is never resumed. If its tables cannot be dropped now, the next maintenance drops them.
      await dropLeftovers(context.db).catch(() => undefined);
      throw error;
    });
    return { ...outcome, seconds: (performance.now() - startedAt) / 1000 };
  });
}

type Outcome = Omit<RebuildOutcome, 'seconds'>;

async function fillAndSwitch(
  context: ReplayContext,
  options: RebuildOptions,
  live: Generation | undefined,
): Promise<Outcome> {
  const { db, log } = context;
  const generations = new Generations(db);
  const next =
    options.dryRun === true
      ? await makeGeneration(context, 'scratch')
      : ((await halfBuilt(context, options)) ?? (await makeGeneration(context, 'rebuild')));
  if (live !== undefined) await sayIfPastEnds(context, live, next);
  const { tails, ends } = await log.extent();
  // If a snapshot has removed records that the live generation has not applied, the live generation can never advance.
  // In this case, the rebuild does not compare the tables.
  const isPassed = live !== undefined && recordsBetween(await offsetsOf(db, live), tails) > 0;
  const target = async (): Promise<Map<number, number>> =>
    live === undefined || isPassed ? new Map(ends) : offsetsOf(db, live);
  const reachable = async (): Promise<Map<number, number>> => limited(await target(), await log.ends());
  const keepDeadLetters = options.dryRun !== true;
  let records = await followLive(context, next, reachable, { keepDeadLetters });
  const { generation, schema } = next;

  // The positions must be read before the ends, because positions can pass ends that were read earlier.
  const reached = await target();
  const shorter = live !== undefined && recordsBetween(await log.ends(), reached) > 0;
  let comparison: Comparison | undefined;
  if (live !== undefined && !shorter && !isPassed) {
    comparison = await atOnePosition(
      context,
      next,
      (session) => compareGenerations(session, live, next, { onTable: tablesDone(context) }),
      { keepDeadLetters },
    );
    const sameForm = live.projectionVersion === projectionVersion;
    if (comparison.counted > 0 && sameForm && !options.dryRun && !options.acceptDifferences) {
      throw differ(next, live, comparison);
    }
  }
  if (options.dryRun) {
    await generations.drop(next);
    return { generation, schema, records, switched: false, ...(comparison && { comparison }) };
  }
  records += await followLive(context, next, reachable);
  await generations.switchTo(
    next,
    async (positions) => {
      const wanted = new Map([...positions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
      records += await replayTo(
        context,
        next,
        limited(live === undefined || isPassed ? new Map(ends) : wanted, await log.ends()),
        { removeLater: true },
      );
    },
    undefined,
    // The operator has accepted that the live tables contain more than the log.
    shorter ? () => true : undefined,
  );
  await dropOtherRetired(db, live);
  await deleteRemovedRows(db, next, { signal: context.signal });
  return { generation, schema, records, switched: true, ...(comparison && { comparison }) };
}

/** After a snapshot of the log, the past of rebuilt tables can begin later than the past of the live tables. */
async function sayIfPastEnds({ db, onNotice }: ReplayContext, live: Generation, next: Generation): Promise<void> {
  if (live.projectionVersion < firstWithPast) return;
  const { starts } = await readPastState(db, live);
  const { starts: begins } = await readPastState(db, next);
  if (![...starts].some(([partition, start]) => start < (begins.get(partition) ?? Infinity))) return;
  onNotice?.(
    'the live tables know moments (as_of) from before the last snapshot of the log; the rebuilt tables will not, because the log no longer has those records',
  );
}

async function fillToPosition(
  context: ReplayContext,
  requested: ReadonlyMap<number, number>,
  live: Generation | undefined,
): Promise<Outcome> {
  const { db, log } = context;
  await requireKnown(context, requested);
  const ends = await log.ends();
  const rest = live === undefined ? ends : await offsetsOf(db, live);
  const until = new Map(
    [...ends.keys()].map((partition) => [partition, requested.get(partition) ?? rest.get(partition) ?? 1]),
  );
  const generations = new Generations(db);
  const made = await makeGeneration(context, 'scratch', { keepsPast: false });
  const records = await replayTo(context, made, until, { keepDeadLetters: false });
  await generations.setState(made, 'point');
  return { generation: made.generation, schema: made.schema, records, switched: false };
}

/** Throws `replay.position` if the log no longer has all records before one of these offsets. */
export async function requireKnown(
  { log }: Pick<ReplayContext, 'log'>,
  requested: ReadonlyMap<number, number>,
): Promise<void> {
  const { starts, tails, ends } = await log.extent();
  for (const [partition, offset] of requested) {
    const end = ends.get(partition);
    const tail = tails.get(partition) ?? 1;
    if (end === undefined || offset > end || offset < (starts.get(partition) ?? 1)) {
      throw new Fault('malformed', 'replay.position', `the log has no position ${partition}-${offset}`, {
        hint:
          end === undefined
            ? `Its partitions are 0 to ${ends.size - 1}.`
            : `Partition ${partition} can be replayed up to ${tail}-${end}.`,
      });
    }
    if (offset < tail) {
      throw new Fault(
        'malformed',
        'replay.position',
        `before offset ${tail} of partition ${partition} the log keeps only records that still counted: the state at ${offset} is unknown`,
        { hint: `Ask for an offset from ${tail} to ${end}.` },
      );
    }
  }
}

/**
 * Advances the previous live generation to the current position, and makes it live again. Throws `replay.no-previous`
 * or `maintenance.busy`.
 */
export async function rollback(context: ReplayContext): Promise<{ generation: number; schema: string }> {
  return withMaintenanceLock(context.db, async () => {
    const generations = new Generations(context.db);
    const previous = (await generations.list()).filter(({ state }) => state === 'retired').at(-1);
    if (previous === undefined) {
      throw new Fault('missing', 'replay.no-previous', 'no earlier generation of the read tables is kept');
    }
    refuseOtherForm(previous, 'Roll back with the program that made them.');
    const live = await findLiveGeneration(context);
    if (live !== undefined) await checkBelongs(context, live);
    const target = async (): Promise<Map<number, number>> =>
      live === undefined ? new Map() : offsetsOf(context.db, live);
    await generations.setState(previous, 'building');
    try {
      await followLive(context, previous, target);
      await generations.switchTo(previous, async (positions) => {
        const wanted = new Map([...positions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
        await replayTo(context, previous, wanted, { removeLater: true });
      });
    } catch (error) {
      // If only the response to the commit was lost, the generation is live and stays live.
      await generations.setState(previous, 'retired', undefined, 'building');
      throw error;
    }
    return { generation: previous.generation, schema: previous.schema };
  });
}

export async function dropOthers(db: ReplayContext['db']): Promise<number> {
  return withMaintenanceLock(db, () => dropStates(db, ['retired', 'point', 'scratch', 'building', 'dropped']));
}

/** The caller must hold the maintenance lock. */
export async function dropStates(db: ReplayContext['db'], states: readonly GenerationState[]): Promise<number> {
  const generations = new Generations(db);
  const dropped = (await generations.list()).filter(({ state }) => states.includes(state));
  for (const generation of dropped) await generations.drop(generation);
  return dropped.length;
}

interface NewGeneration {
  /** False for tables that show only one position. Default: the same as the live tables. */
  readonly keepsPast?: false;
  /** The start offsets of a base that is not current yet. */
  readonly starts?: ReadonlyMap<number, number>;
  /**
   * The past of the new tables begins at these offsets. The log must contain all later records. Default: the beginning
   * of the tail of the log.
   */
  readonly pastBegins?: ReadonlyMap<number, number>;
}

export async function makeGeneration(
  context: Pick<ReplayContext, 'db' | 'log' | 'logId' | 'keepsPast' | 'volatileFacts'>,
  purpose: 'rebuild' | 'scratch',
  { keepsPast, starts, pastBegins }: NewGeneration = {},
): Promise<Generation> {
  const { db, log, logId } = context;
  const found = await log.extent();
  const extent = pastBegins === undefined ? found : { ...found, tails: pastBegins };
  const isKept = keepsPast ?? (await isPastKept(context));
  const volatileFacts = (purpose === 'scratch' ? await volatileFactsOfLive(db) : undefined) ?? context.volatileFacts;
  const made = { logId, extent, starts, keepsPast: isKept, volatileFacts };
  return new Generations(db).create(newTables(made, purpose));
}

/**
 * New tables keep earlier versions of rows if the live tables do. If there are no live tables, or if they are too old
 * to have earlier versions, the setting decides.
 */
async function isPastKept({ db, keepsPast = true }: Pick<ReplayContext, 'db' | 'keepsPast'>): Promise<boolean> {
  const live = await new Generations(db).live();
  if (live === undefined || live.projectionVersion < firstWithPast) return keepsPast;
  return (await readPastState(db, live)).starts.size > 0;
}

async function volatileFactsOfLive(db: ReplayContext['db']): Promise<string[] | undefined> {
  const live = await new Generations(db).live();
  if (live === undefined || live.projectionVersion < firstWithTimeline) return undefined;
  return readVolatileNames(db, live.schema);
}

/** Drops tables of an interrupted verification, snapshot or dry run. The caller must hold the maintenance lock. */
export async function dropLeftovers(db: ReplayContext['db']): Promise<void> {
  await dropStates(db, ['scratch', 'dropped']);
}

export async function findLiveGeneration({ db }: Pick<ReplayContext, 'db'>): Promise<ListedGeneration | undefined> {
  return (await new Generations(db).list()).find(({ state }) => state === 'live');
}

async function dropOtherRetired(db: ReplayContext['db'], previous: Generation | undefined): Promise<void> {
  const generations = new Generations(db);
  for (const generation of await generations.list()) {
    if (generation.state === 'retired' && generation.generation !== previous?.generation) {
      await generations.drop(generation);
    }
  }
}

async function halfBuilt(context: ReplayContext, { resume, restart }: RebuildOptions): Promise<Generation | undefined> {
  const generations = new Generations(context.db);
  const left = (await generations.list()).filter(({ state }) => state === 'building');
  const last = left.at(-1);
  if (last === undefined) {
    if (resume !== true) return undefined;
    throw new Fault('missing', 'replay.nothing-to-resume', 'there is no unfinished rebuild');
  }
  if (resume !== true && restart !== true) {
    const done = recordsBetween((await context.log.extent()).starts, await offsetsOf(context.db, last));
    throw new Fault(
      'conflict',
      'replay.half-built',
      `a rebuild is unfinished (${last.schema}, ${done} records of the log)`,
      {
        hint: 'Resume it with --resume, start again with --restart, or discard it with `nodeledger rebuild --drop-previous`.',
      },
    );
  }
  const known = [...(await positionsOf(context.db, last.generation)).values()];
  const fits = last.projectionVersion === projectionVersion && known.every(({ logId }) => logId === context.logId);
  if (resume === true && fits) return last;
  if (resume === true) {
    throw new Fault(
      'conflict',
      'replay.other-form',
      `${last.schema} was started by another version or from another log`,
      {
        hint: 'Discard it and start again with --restart.',
      },
    );
  }
  for (const generation of left) await generations.drop(generation);
  return undefined;
}

function refuseNewerForm({ schema, projectionVersion: theirs }: ListedGeneration): void {
  if (theirs <= projectionVersion) return;
  throw new Fault(
    'conflict',
    'replay.projection-version',
    `the read tables (${schema}) have form ${theirs}, newer than this program's ${projectionVersion}`,
    { hint: 'Use the program that made them.' },
  );
}

/**
 * Checks that the live tables were made from this log, and that the log still reaches their position. Otherwise a
 * replay would wait forever.
 */
export async function checkBelongs(
  { db, log, logId }: ReplayContext,
  live: ListedGeneration,
  { acceptDifferences }: RebuildOptions = {},
): Promise<void> {
  // The ends must be read after the positions, because the positions advance in the meantime.
  const positions = await positionsOf(db, live.generation);
  const ends = await log.ends();
  for (const [partition, { logId: theirs, nextOffset }] of positions) {
    if (theirs !== logId) {
      throw new Fault(
        'conflict',
        'replay.foreign-log',
        `the read tables (${live.schema}) were made from log ${theirs}, but the log here is ${logId}`,
        {
          hint: 'Point KAFKA_BROKERS and NODELEDGER_LOG_TOPIC (or DATABASE_URL) at a log and a database that belong together.',
        },
      );
    }
    const end = ends.get(partition) ?? 0;
    if (nextOffset > end && acceptDifferences !== true) {
      throw new Fault(
        'conflict',
        'replay.shorter-log',
        `the read tables (${live.schema}) hold records of partition ${partition} up to offset ${nextOffset - 1}, but the log ends at ${end - 1}`,
        { hint: 'Restore the whole log; or accept what it lost: nodeledger rebuild --accept-differences.' },
      );
    }
  }
}

const limited = (wanted: ReadonlyMap<number, number>, ends: ReadonlyMap<number, number>): Map<number, number> =>
  new Map([...wanted].map(([partition, offset]) => [partition, Math.min(offset, ends.get(partition) ?? offset)]));

/** Returns a callback for the comparison, which throws `maintenance.stopped` if the signal has aborted. */
export const tablesDone =
  ({ onProgress, signal }: ReplayContext) =>
  (done: number, total: number): void => {
    stopIfAborted(signal);
    onProgress?.({ step: 'compare', done, total, unit: 'tables' });
  };

function differ(next: Generation, live: Generation, comparison: Comparison): Fault {
  return new Fault(
    'conflict',
    'replay.differences',
    `the rebuilt tables (${next.schema}) differ from the live ones (${live.schema}) in ${comparison.counted} of ${comparison.rows} rows`,
    {
      hint: 'They are kept beside the live ones. To switch to them anyway: --resume --accept-differences. To discard them: --drop-previous.',
      details: comparison,
    },
  );
}
