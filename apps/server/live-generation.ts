import { type Database, type Generation, type Generations, positionsOf, type StoredPosition } from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogIdentity } from '#log';
import { keepPast, newTables, projectionVersion, type ReplayContext } from '#projections';
import { checkBelowTail } from './below-tail';

const unknownData =
  'Point DATABASE_URL (or NODELEDGER_DATA_DIR) at the database that belongs to this log, or at an empty one. Nothing has been changed.';

/** Returns the id of the log that fills the live read tables. */
export async function expectedLogId(db: Database, generations: Generations): Promise<string | undefined> {
  const live = await generations.live();
  const [first] = live === undefined ? [] : (await positionsOf(db, live.generation)).values();
  return first?.logId;
}

export interface CheckedLog {
  readonly log: CommandLog;
  readonly identity: LogIdentity;
  /** Undefined for the embedded log. */
  readonly topic: string | undefined;
}

/**
 * Returns the live generation, and creates it if the database has none. Only a process that fills the tables passes
 * `remake`, which rebuilds read tables of an older schema version.
 *
 * Throws `server.projection-version` if such a process finds a newer schema version. Throws `server.foreign-log`,
 * `server.past-end` or `server.below-tail` if the read tables do not belong to the log, because a projector would then
 * skip records.
 */
export async function liveGeneration(
  db: Database,
  generations: Generations,
  checked: CheckedLog,
  { keepsPast, volatileFacts }: Pick<ReplayContext, 'volatileFacts'> & { readonly keepsPast: boolean },
  remake?: () => Promise<void>,
): Promise<Generation> {
  const { log, identity } = checked;
  const live = await generations.live();
  if (live === undefined) {
    const { logId } = identity;
    return generations.create(newTables({ logId, extent: await log.extent(), keepsPast, volatileFacts }));
  }
  const positions = await positionsOf(db, live.generation);
  await checkPositions(live, positions, checked);
  if (remake === undefined) return live;
  if (live.projectionVersion === projectionVersion) {
    await keepPast(db, live, keepsPast);
    return live;
  }
  if (live.projectionVersion > projectionVersion) throw newerSchemaVersion(live);
  await remake();
  const remade = (await generations.live()) ?? live;
  await keepPast(db, remade, keepsPast);
  return remade;
}

const newerSchemaVersion = ({ schema, projectionVersion: theirs }: Generation): Fault =>
  new Fault(
    'conflict',
    'server.projection-version',
    `the read tables (${schema}) have form ${theirs}, this program reads and writes form ${projectionVersion}`,
    { hint: 'Start the program that made them, or use an empty database; nothing has been changed.' },
  );

async function checkPositions(
  { schema }: Generation,
  positions: ReadonlyMap<number, StoredPosition>,
  { log, identity, topic }: CheckedLog,
): Promise<void> {
  const { tails, ends } = await log.extent();
  const here = topic === undefined ? 'the log' : `the log in topic ${topic}`;
  const below = new Map<number, number>();
  for (const [partition, { logId, nextOffset }] of positions) {
    if (logId !== identity.logId) {
      throw new Fault(
        'conflict',
        'server.foreign-log',
        `the read tables (${schema}) were made from log ${logId}, but ${here} is ${identity.logId}`,
        { hint: topic === undefined ? unknownData : otherTopic },
      );
    }
    const end = ends.get(partition) ?? 0;
    if (nextOffset > end) {
      throw new Fault(
        'conflict',
        'server.past-end',
        `the read tables (${schema}) hold records of partition ${partition} up to offset ${nextOffset - 1}, but ${here} ends at ${end - 1}: the log was restored from an older state, lost its end, or is another one`,
        { hint: topic === undefined ? unknownData : lostEnd },
      );
    }
    if (nextOffset < (tails.get(partition) ?? 0)) below.set(partition, nextOffset);
  }
  if (below.size > 0) await checkBelowTail(log, below, schema);
}

const otherTopic =
  'Set NODELEDGER_LOG_TOPIC and KAFKA_BROKERS to where that log is, or DATABASE_URL to the database that belongs to this topic, or to an empty one; nothing has been changed.';
const lostEnd =
  'Restore the topic, or the database from a backup of the same time or earlier. If the records are lost permanently, start with an empty database: it is filled from what the log holds. Nothing has been changed.';
