/** An append is durable when its transaction has committed. */
import { randomUUID } from 'node:crypto';
import type { Database, Session } from '#database';
import { Fault } from '#fault';
import { AppendQueue, type Append, type AppendQueueOptions } from '../append-queue';
import { CommandLog, type LogExtent, type LogReader, type PreparedBase, type ReaderOptions } from '../command-log';
import { partitionOf } from '../partition';
import type { LogContent } from '../log-content';
import { isWorthDeflating } from '../payload-storage';
import type { LogIdentity, LogRecord, NewRecord, Position } from '../record';
import { noRecord, type RecordLookUp } from '../record-look-up';
import { unstorable } from '../unstorable';
import { QueueBudget } from '../queue-budget';
import { Wakeup } from '../wakeup';
import { baseStarts, removeSuperseded, writeBase } from './bases';
import { copiedRecords } from './copied-records';
import { PieceMemory } from './pieces/piece-memory';
import { EmbeddedReader, type CurrentBase, type ReaderSource } from './embedded-reader';
import { restoreLog } from './restore-log';
import { appendBatch } from './append-statement';
import {
  appendedChannel,
  forgetEpochs,
  headerRows,
  makePartitions,
  openingLock,
  partitionRows,
  type PartitionRow,
} from './statements';
import { copyRecordsAt, offsetsAppendedSince, recordAt } from './read-statements';
import { type AppendedParts, appendedParts, besideBatch } from './pieces/appended-parts';
import type { SplitPayload } from './pieces/split-payload';
import { storeFailures } from './store-failures';
import type { StoredSections } from './pieces/stored-sections';
import type { StoredRecord } from './row-columns';
import { storedRecord } from './stored-record';

export interface EmbeddedCommandLogOptions extends Pick<AppendQueueOptions, 'batchBytes'> {
  readonly waitingBytes?: number;
  /** An existing log keeps its number of partitions. */
  readonly partitions: number;
  readonly splitter?: SplitPayload;
}

interface EmbeddedAppend extends Append {
  stored: StoredRecord;
  parts?: AppendedParts | undefined;
}

/** In format 2, the payload of a row with `plain_bytes` is compressed. */
const format = 2;
const pollMs = 1000;

export class EmbeddedCommandLog extends CommandLog {
  private readonly instance = randomUUID();
  private readonly queue: AppendQueue<EmbeddedAppend>;
  private readonly source: ReaderSource;
  private readonly wakeup = new Wakeup();
  private readonly closing = new AbortController();
  private readonly readers = new Set<EmbeddedReader>();
  private readonly known = new Map<number, number>();
  private inForce: CurrentBase = { base: 0, tails: new Map() };
  private identity: LogIdentity | undefined;
  private lost: Fault | undefined;
  /**
   * When a new round begins, the splitter forgets which sections it has returned. A new round begins with each epoch.
   * It also begins when the splitter has assumed that sections or pieces were stored, but they were not.
   */
  private epoch = 0;
  private round = 0;
  private poll: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> | undefined;
  private refreshingNext: Promise<void> | undefined;
  private listening: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(
    private readonly db: Database,
    private readonly options: EmbeddedCommandLogOptions,
  ) {
    super();
    this.queue = new AppendQueue({
      batchBytes: options.batchBytes,
      budget: new QueueBudget({ bytes: options.waitingBytes }),
      failures: storeFailures,
      prepare: (append) => this.prepare(append),
      store: (batch) => this.store(batch),
    });
    this.source = {
      db,
      pieces: new PieceMemory(),
      wakeup: this.wakeup,
      closing: this.closing.signal,
      knownEnds: () => {
        if (this.lost !== undefined) throw this.lost;
        return this.known;
      },
      refreshEnds: () => this.refresh(),
      base: () => this.inForce,
      closed: (reader) => this.leave(reader),
    };
  }

  /** Throws `log.foreign` if the tables contain a damaged log, or a log in an unknown format. */
  async open(): Promise<LogIdentity> {
    this.identity = await this.db.transaction(async (session) => {
      await session.query(openingLock);
      return (await existing(session)) ?? (await make(session, this.options.partitions));
    });
    this.setEpoch(await this.db.query<PartitionRow>(partitionRows));
    return this.identity;
  }

  /** After a failure, the next attempt deletes what the failed attempt has written. */
  async restore(content: LogContent): Promise<void> {
    await restoreLog(this.db, content, headerOf(content.identity), this.options.splitter);
  }

  append(record: NewRecord): Promise<Position> {
    if (this.closing.signal.aborted || this.identity === undefined) {
      return Promise.reject(new Fault('busy', 'log.unavailable', 'the log is not open'));
    }
    const refused = unstorable(record);
    if (refused !== undefined) return Promise.reject(refused);
    const partition = partitionOf(record.certname, this.identity.partitions);
    return this.queue.add({ partition, record, stored: record });
  }

  reader(start: ReadonlyMap<number, number>, options: ReaderOptions = {}): LogReader {
    return this.readerOf(this.source, start, options);
  }

  private readerOf(source: ReaderSource, start: ReadonlyMap<number, number>, options: ReaderOptions = {}): LogReader {
    const reader = new EmbeddedReader(source, start, options);
    this.readers.add(reader);
    this.poll ??= setInterval(() => void this.refresh().catch(() => undefined), pollMs).unref();
    this.listening ??= this.db
      .listen(appendedChannel, (instance) => {
        if (instance !== this.instance) this.refresh().catch(() => undefined);
      })
      // If listening fails, the readers continue to poll, and the next reader tries to listen again.
      .catch(() => (this.listening = undefined));
    return reader;
  }

  async ends(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.db.query<PartitionRow>(partitionRows);
    return new Map(rows.map((row) => [row.partition, row.next_offset]));
  }

  /** Throws `log.foreign` if the opened log was replaced. */
  async extent(): Promise<LogExtent> {
    await this.refresh();
    const { inForce } = this;
    const ends = new Map(this.source.knownEnds());
    return { starts: await baseStarts(this.db, inForce), tails: inForce.tails, ends };
  }

  async offsetsSince(time: number): Promise<ReadonlyMap<number, number>> {
    const rows = await this.db.query<{ partition: number; offset: number }>(offsetsAppendedSince(time));
    return new Map(rows.map(({ partition, offset }) => [partition, offset]));
  }

  readonly lookUp: RecordLookUp = async (positions, maxBytes) => {
    if (positions.length === 0) return [];
    await this.refresh();
    const records = await copiedRecords(this.db, copyRecordsAt(this.inForce, positions, maxBytes), this.source.pieces);
    for (const [index, { partition, offset }] of positions.slice(0, Math.max(1, records.length)).entries()) {
      const found = records[index];
      if (found?.partition !== partition || found.offset !== offset) throw noRecord({ partition, offset });
    }
    // If the statement returned fewer records than wanted, either `maxBytes` was reached or the next record does not
    // exist.
    const next = positions[records.length];
    if (next !== undefined && (await this.db.query(recordAt(this.inForce, next))).length === 0) throw noRecord(next);
    return records;
  };

  async prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase> {
    const { logId } = this.identity as LogIdentity;
    return writeBase(
      this.db,
      { logId, tails, records, splitter: this.options.splitter },
      {
        reader: (made, start, options) => this.readerOf({ ...this.source, base: () => made }, start, options),
        committed: () => this.refresh(),
      },
    );
  }

  async truncate(): Promise<void> {
    await removeSuperseded(this.db);
  }

  /** Stores the waiting appends first. Does not close the database. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.queue.drain();
    await this.options.splitter?.close?.();
    clearInterval(this.poll);
    await (
      await this.listening
    )?.();
    await (this.refreshingNext ?? this.refreshing)?.catch(() => undefined);
  }

  private async store(batch: readonly EmbeddedAppend[]): Promise<(Position | undefined)[]> {
    const rows = await this.insert(batch);
    const next = new Map(rows.map((row) => [row.partition, row.first_offset]));
    const positions = batch.map(({ partition }): Position | undefined => {
      const offset = next.get(partition);
      if (offset === undefined) return undefined;
      next.set(partition, offset + 1);
      return { partition, offset };
    });
    this.raiseEnds(next);
    return positions;
  }

  private prepare(append: EmbeddedAppend): Promise<void> | undefined {
    const { splitter } = this.options;
    if (splitter?.takes(append.record) === true) return this.split(append, splitter);
    return isWorthDeflating(append.record) ? deflate(append) : undefined;
  }

  private async split(append: EmbeddedAppend, splitter: SplitPayload): Promise<void> {
    const { epoch, round } = this;
    const { command, certname, encoding, payload } = append.record;
    // If the thread of the splitter ends, the record is stored whole.
    const split = await Promise.resolve(splitter.split({ command, certname, encoding, payload, round })).catch(
      () => undefined,
    );
    if (split === undefined || round !== this.round) return deflate(append);
    append.parts = appendedParts(split, epoch);
    append.stored = { ...append.record, ...append.parts.columns };
  }

  private async insert(batch: readonly EmbeddedAppend[]): Promise<{ partition: number; first_offset: number }[]> {
    const insert = (beside?: StoredSections): Promise<{ partition: number; first_offset: number }[]> =>
      this.db.query(
        appendBatch(
          batch.map(({ partition, stored }) => ({ partition, record: stored })),
          (this.identity as LogIdentity).logId,
          this.instance,
          beside,
        ),
      );
    const parts = batch.flatMap((append) => append.parts ?? []);
    if (parts.length === 0) return insert();
    const [{ epoch }] = parts as [AppendedParts];
    if (parts.every((other) => other.epoch === epoch)) {
      const taken = await insert(besideBatch(parts));
      if (taken.length > 0) return taken;
      // Nothing was stored: another process has begun an epoch, or an earlier append failed to store a section of this
      // batch.
      await this.refresh();
    }
    this.round += 1;
    await Promise.all(batch.filter((append) => append.parts !== undefined).map(deflate));
    return insert();
  }

  /** If a query is running, waits for a second query, because the running query may have missed the latest change. */
  private refresh(): Promise<void> {
    if (this.refreshing === undefined) {
      this.refreshing = this.askEnds().finally(() => {
        this.refreshing = undefined;
      });
      return this.refreshing;
    }
    this.refreshingNext ??= this.refreshing
      .catch(() => undefined)
      .then(() => {
        this.refreshingNext = undefined;
        return this.refresh();
      });
    return this.refreshingNext;
  }

  private async askEnds(): Promise<void> {
    const rows = await this.db.query<PartitionRow>(partitionRows);
    const logId = this.identity?.logId;
    if (rows.length === 0 || rows.some((row) => row.log_id !== logId)) {
      this.lost = new Fault('broken', 'log.foreign', 'the log in the database is not the one that was opened', {
        hint: 'Restart the service; if the database was restored, check that the read tables came from the same backup.',
      });
      this.wakeup.notify();
      return;
    }
    this.inForce = {
      base: Math.max(...rows.map((row) => row.base)),
      tails: new Map(rows.map((row) => [row.partition, row.tail_offset])),
    };
    this.setEpoch(rows);
    this.raiseEnds(new Map(rows.map((row) => [row.partition, row.next_offset])));
  }

  private setEpoch([row]: readonly PartitionRow[]): void {
    if (row === undefined || row.epoch === this.epoch) return;
    this.epoch = row.epoch;
    this.round += 1;
  }

  private raiseEnds(ends: ReadonlyMap<number, number>): void {
    let raised = false;
    for (const [partition, end] of ends) {
      if (end <= (this.known.get(partition) ?? 0)) continue;
      this.known.set(partition, end);
      raised = true;
    }
    if (raised) this.wakeup.notify();
  }

  private leave(reader: EmbeddedReader): void {
    this.readers.delete(reader);
    if (this.readers.size > 0) return;
    clearInterval(this.poll);
    this.poll = undefined;
  }
}

async function deflate(append: EmbeddedAppend): Promise<void> {
  append.parts = undefined;
  append.stored = await storedRecord(append.record);
}

async function make(session: Session, partitions: number): Promise<LogIdentity> {
  if (!Number.isInteger(partitions) || partitions < 1) {
    throw new Fault('malformed', 'log.partitions', `a log cannot have ${partitions} partitions`);
  }
  const logId = randomUUID();
  await session.query(forgetEpochs);
  await session.query(makePartitions(logId, partitions, headerOf({ logId, partitions })));
  return { logId, partitions };
}

const headerOf = ({ logId, partitions }: LogIdentity): Buffer =>
  Buffer.from(JSON.stringify({ logId, format, partitions }));

async function existing(session: Session): Promise<LogIdentity | undefined> {
  const rows = await session.query<PartitionRow>(partitionRows);
  const [first] = rows;
  if (first === undefined) return undefined;
  const identity = { logId: first.log_id, partitions: rows.length };
  const headers = await session.query<{ partition: number; payload: Buffer }>(headerRows);
  const expected = headerOf(identity).toString('utf8');
  rows.forEach((row, index) => {
    const header = headers.find(({ partition }) => partition === index)?.payload.toString('utf8');
    if (row.partition === index && row.log_id === identity.logId && header === expected) return;
    throw new Fault(
      'broken',
      'log.foreign',
      `partition ${row.partition} of the log does not begin with the header of log ${identity.logId}`,
      {
        hint: 'The log was changed from outside, or written by a release that this one does not know. Restore it from a backup.',
        details: { expected, found: header },
      },
    );
  });
  return identity;
}
