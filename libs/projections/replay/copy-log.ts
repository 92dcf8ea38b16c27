/**
 * Copies a log: appends every record to another log, builds read tables from the new log, and makes these tables live
 * in one transaction. Until this commit, the old log and the old tables stay in use.
 */
import { arrayLiteral, Generations, withMaintenanceLock, type Session } from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogExtent, LogIdentity, NewRecord, Position } from '#log';
import { DeadLetterStore } from '../dead-letters/dead-letter-store';
import { FatalRecords } from '../dead-letters/fatal-records';
import { letterName, readLetterName, retryHeader } from '../dead-letters/letter-name';
import { inPartitions } from '../maintenance/in-partitions';
import { projectionVersion } from '../schema/read-tables';
import { compareGenerations } from './compare-generations';
import { dropLeftovers, dropStates, findLiveGeneration, makeGeneration, tablesDone } from './rebuild';
import { recordsUntil } from './records-until';
import { recordsBetween, replayTo, stopIfAborted } from './replay';
import type { ReplayContext } from './replay-context';

export interface CopyOutcome {
  readonly records: number;
  readonly seconds: number;
}

const appendedAtOnce = 500;

/** Map from the name of a dead letter to the new position of its record. */
type Moves = Map<string, Position>;

/**
 * `target` must be open and empty. The service must be stopped. Throws `maintenance.busy`, `maintenance.stopped`,
 * `copy.not-empty`, `copy.not-applied`, `copy.moved-on`, `replay.half-built` or `replay.differences`. After an error,
 * `target` can contain a part of the log and must not be used again.
 */
export async function copyLog(context: ReplayContext, target: CommandLog, targetId: LogIdentity): Promise<CopyOutcome> {
  const startedAt = performance.now();
  return withMaintenanceLock(context.db, async () => {
    const { db, log } = context;
    await dropLeftovers(db);
    // The extent stays valid, because no record is appended and no snapshot can begin.
    const extent = await log.extent();
    const { ends } = extent;
    await checkEmpty(target);
    const live = await findLiveGeneration(context);
    if (live === undefined || live.projectionVersion !== projectionVersion) {
      throw new Fault('conflict', 'copy.not-applied', 'there are no read tables of this version to continue with', {
        hint: 'Start the service once, so that it creates them.',
      });
    }
    if ((await new Generations(db).list()).some(({ state }) => state === 'building')) {
      throw new Fault('conflict', 'replay.half-built', 'a rebuild is unfinished', {
        hint: 'Finish it by `nodeledger rebuild --resume` first.',
      });
    }
    // Applies the remaining records, so that dead letters and tables contain the whole log.
    await replayTo(context, live, ends, { step: 'apply what waits' });

    const letters = await lettersOf(context);
    const moves: Moves = new Map();
    const copied = { extent, letters, moves, partitions: targetId.partitions };
    // The past is lost if nodes move to other partitions, because the records of a partition are then not in the order
    // of their times.
    const pastBegins = ends.size === targetId.partitions ? new Map<number, number>() : undefined;
    if (pastBegins === undefined) {
      context.onNotice?.(
        'the new log has another number of partitions: no moment before the copy can be asked (as_of)',
      );
    }
    let records = await appendLost(context, target, copied);
    records += await appendAll(context, target, copied, pastBegins);

    // Generations with positions in the old log cannot become live after the copy.
    await dropStates(db, ['retired', 'point']);
    const newContext: ReplayContext = { ...context, log: target, logId: targetId.logId, threads: undefined };
    // A generation with the purpose `scratch` is dropped after a crash, because a copy cannot be resumed.
    const copiedEnds = await target.ends();
    const next = await makeGeneration(newContext, 'scratch', {
      pastBegins: new Map([...copiedEnds].map(([partition, end]) => [partition, pastBegins?.get(partition) ?? end])),
    });
    const generations = new Generations(db);
    try {
      await replayTo(newContext, next, copiedEnds, {
        step: 'replay the copy',
        keepDeadLetters: false,
        fatal: (await FatalRecords.load(db)).moved((old) => moves.get(letterName(old))),
      });
      const comparison = await compareGenerations(db, live, next, { positions: false, onTable: tablesDone(context) });
      if (comparison.counted > 0) {
        throw new Fault(
          'conflict',
          'replay.differences',
          `the tables made from the copy differ from the live ones in ${comparison.counted} of ${comparison.rows} rows`,
          {
            hint: 'Nothing was changed. See `nodeledger verify`; a rebuild repairs damaged tables.',
            details: comparison,
          },
        );
      }
      if (recordsBetween(ends, await log.ends()) > 0) {
        throw new Fault('conflict', 'copy.moved-on', 'commands were accepted while the log was copied', {
          hint: 'Nothing was changed. Stop everything that serves commands, then copy to another, empty log.',
        });
      }
      await generations.switchTo(
        next,
        async () => undefined,
        (session) => moveLetters(session, moves),
        () => true,
      );
    } catch (error) {
      await generations.drop(next);
      throw error;
    }
    await generations.drop(live);
    return { records, seconds: (performance.now() - startedAt) / 1000 };
  });
}

async function checkEmpty(target: CommandLog): Promise<void> {
  const { starts, ends } = await target.extent();
  if (recordsBetween(starts, ends) === 0) return;
  throw new Fault('conflict', 'copy.not-empty', 'the log to copy to already has records', {
    hint: 'Name one that does not exist yet.',
  });
}

interface Letter extends Position {
  readonly waiting: boolean;
}

async function lettersOf({ db }: ReplayContext): Promise<Map<string, Letter>> {
  const rows = await db.query<Letter>({
    text: `SELECT log_partition AS partition, log_offset AS "offset", state = 'waiting' AS waiting
           FROM nodeledger.dead_letters ORDER BY log_partition, log_offset`,
    values: [],
  });
  return new Map(rows.map((row) => [letterName(row), row]));
}

interface Copied {
  readonly extent: LogExtent;
  readonly letters: ReadonlyMap<string, Letter>;
  readonly moves: Moves;
  readonly partitions: number;
}

/**
 * Appends the commands that only waiting dead letters still contain, because a snapshot has removed their records. The
 * projector rejects these commands again.
 */
async function appendLost(
  { db }: ReplayContext,
  target: CommandLog,
  { extent: { tails }, letters, moves }: Copied,
): Promise<number> {
  const letterStore = new DeadLetterStore(db);
  let records = 0;
  for (const [name, letter] of letters) {
    if (!letter.waiting || letter.offset >= (tails.get(letter.partition) ?? 1)) continue;
    const command = await letterStore.command(letter);
    if (command === undefined) continue;
    moves.set(name, await target.append(moved(command, moves)));
    records += 1;
  }
  return records;
}

async function appendAll(
  context: ReplayContext,
  target: CommandLog,
  { extent: { starts, tails, ends }, letters, moves, partitions }: Copied,
  pastBegins: Map<number, number> | undefined,
): Promise<number> {
  const { onProgress } = context;
  const total = recordsBetween(starts, ends);
  let [done, records] = [0, 0];
  let pending: Promise<void>[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(pending);
    pending = [];
  };
  for await (const batch of recordsUntil(context, ends)) {
    for (const record of batch) {
      const name = letterName(record);
      const isRetry = record.headers?.[retryHeader] !== undefined;
      // A retry contains the new position of the record that it retries. So this record must be appended before.
      if (isRetry || pending.length >= appendedAtOnce) await flush();
      const copies = inPartitions(moved(record, moves), ends.size, partitions);
      records += copies.length;
      for (const one of copies) {
        const isWhole = record.offset >= (tails.get(record.partition) ?? 1);
        const appending = target.append(one).then((position) => {
          const { partition, offset } = position;
          if (isWhole && offset < (pastBegins?.get(partition) ?? Infinity)) pastBegins?.set(partition, offset);
          if (isRetry || letters.has(name)) moves.set(name, position);
        });
        appending.catch(() => undefined);
        pending.push(appending);
      }
    }
    await flush();
    stopIfAborted(context.signal);
    done += batch.length;
    onProgress?.({ step: 'copy', done: Math.min(done, total), total, unit: 'records' });
  }
  return records;
}

/** A retry of a dead letter that no longer exists becomes an ordinary command. */
function moved(
  { uuid, command, version, certname, receivedAt, encoding, payload, headers }: NewRecord,
  moves: Moves,
): NewRecord {
  const record = { uuid, command, version, certname, receivedAt, encoding, payload };
  if (headers === undefined) return record;
  const { [retryHeader]: retried, ...rest } = headers;
  const letter = retried === undefined ? undefined : moves.get(retried);
  const kept = letter === undefined ? rest : { ...rest, [retryHeader]: letterName(letter) };
  return Object.keys(kept).length === 0 ? record : { ...record, headers: kept };
}

/**
 * Moves dead letters to the new positions of their commands. Deletes applied and purged dead letters whose command is
 * not in the new log.
 */
async function moveLetters(session: Session, moves: Moves): Promise<void> {
  const pairs = [...moves].map(([name, to]) => ({ from: readLetterName(name) as Position, to }));
  await session.query({
    text: `CREATE TEMP TABLE moved_letters ON COMMIT DROP AS
           SELECT m.to_partition, m.to_offset, coalesce(r.to_offset, 0) AS to_last, d.*
           FROM unnest($1::int[], $2::bigint[], $3::int[], $4::bigint[]) AS m(from_partition, from_offset, to_partition, to_offset)
           JOIN nodeledger.dead_letters d ON d.log_partition = m.from_partition AND d.log_offset = m.from_offset
           LEFT JOIN unnest($1::int[], $2::bigint[], $3::int[], $4::bigint[]) AS r(from_partition, from_offset, to_partition, to_offset)
             ON r.from_partition = d.log_partition AND r.from_offset = d.last_offset`,
    values: [
      arrayLiteral(pairs.map(({ from }) => from.partition)),
      arrayLiteral(pairs.map(({ from }) => from.offset)),
      arrayLiteral(pairs.map(({ to }) => to.partition)),
      arrayLiteral(pairs.map(({ to }) => to.offset)),
    ],
  });
  await session.query({ text: 'DELETE FROM nodeledger.dead_letters', values: [] });
  const columns = `uuid, command, version, certname, received_at, headers, encoding, payload, error, exception, attempts,
    rejected_at, state, last_rejected_at, retried_at`;
  await session.query({
    text: `INSERT INTO nodeledger.dead_letters (log_partition, log_offset, last_offset, ${columns})
           SELECT to_partition, to_offset, to_last, ${columns} FROM moved_letters`,
    values: [],
  });
}
