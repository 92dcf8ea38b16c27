import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FaultProxy } from '../../../test/support/fault-proxy';
import { describeWithKafka, startBroker, type OwnBroker } from '../../../test/support/kafka';
import { newRecord, readRecords } from '../testing/contract-records';
import type { CommandLog, LogReader } from '../command-log';
import type { LogRecord } from '../record';
import { partitionOf } from '../partition';
import { OpenLogs } from '../../../test/support/kafka-logs';
import { stays, until } from '../../../test/support/until';

const limits = { maxRecords: 500, maxBytes: 8 << 20 };

/**
 * Appends records until the test stops it. As clients do, waits for each record of a certname before it appends the
 * next one. Returns the acknowledged records.
 */
function appending(
  log: CommandLog,
  certnames: number,
): { readonly acknowledged: ReadonlySet<string>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const acknowledged = new Set<string>();
  const clients = Array.from({ length: certnames }, async (_, which) => {
    for (let version = 0; !stopping.signal.aborted; version++) {
      const record = newRecord(`node-${which}`, { version, payload: randomBytes(500) });
      try {
        await log.append(record);
        acknowledged.add(record.uuid);
      } catch {
        // The append was not acknowledged, so the record is stored or not stored.
      }
      await delay(2);
    }
  });
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

/** Reads all records that are in the topic at the time of the call. */
async function everything(log: CommandLog): Promise<LogRecord[]> {
  const { starts, ends } = await log.extent();
  let left = [...ends].reduce((sum, [partition, end]) => sum + end - (starts.get(partition) ?? 0), 0);
  const reader = log.reader(starts);
  const records: LogRecord[] = [];
  while (left > 0) {
    const batch = await reader.next(limits, AbortSignal.timeout(20_000));
    if (batch.length === 0) throw new Error(`${left} records did not come`);
    records.push(...batch);
    left -= batch.length;
  }
  await reader.close();
  return records;
}

/** Checks that the offsets of each partition have no gaps, whatever happened to the broker. */
function follows(records: readonly LogRecord[], starts: ReadonlyMap<number, number>): void {
  const next = new Map(starts);
  for (const { partition, offset } of records) {
    expect(offset).toBe(next.get(partition));
    next.set(partition, offset + 1);
  }
}

/** Reads until a record matches. Retries after transient errors, as a projector does. */
async function patient(reader: LogReader, until: (record: LogRecord) => boolean): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const patience = AbortSignal.timeout(60_000);
  while (!patience.aborted) {
    try {
      records.push(...(await reader.next(limits, patience)));
    } catch (error) {
      expect(error).toMatchObject({ kind: 'busy' });
    }
    if (records.some(until)) return records;
  }
  throw new Error(`it did not come among ${records.length} records`);
}

describeWithKafka('trouble with the broker', () => {
  let broker: OwnBroker;
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await FaultProxy.open();
    broker = await startBroker({ proxyPort: proxy.port });
    proxy.forwardTo(broker.behindPort as number);
  }, 120_000);
  afterAll(async () => {
    await proxy.close();
    await broker.stop();
  }, 60_000);

  const logs = new OpenLogs(() => Promise.resolve(broker.brokers));
  afterEach(async () => {
    proxy.pass();
    await proxy.accept();
    await logs.closeAll();
  }, 60_000);

  it.each([
    ['stopped', () => broker.restart()],
    ['killed', () => broker.kill().then(() => broker.restart())],
  ])(
    'loses nothing acknowledged, and goes on reading, where the broker is %s and started again',
    async (_how, restart) => {
      const log = await logs.open(logs.topic(), { partitions: 4 });
      const { starts } = await log.extent();
      const reader = log.reader(starts);
      const clients = appending(log, 40);
      const { acknowledged } = clients;
      const more = async (): Promise<void> => {
        const before = acknowledged.size;
        await until(() => acknowledged.size > before + 100, { what: 'more appends' });
      };
      await more();
      await restart();
      await more();
      await clients.stop();
      const last = newRecord('the last');
      await log.append(last);
      const isLast = ({ uuid }: LogRecord): boolean => uuid === last.uuid;
      const stored = await everything(log);
      const uuids = new Set(stored.map(({ uuid }) => uuid));
      expect([...acknowledged].filter((uuid) => !uuids.has(uuid))).toEqual([]);
      const read = await patient(reader, isLast);
      follows(read, starts);
      const found = new Set(read.map(({ uuid }) => uuid));
      // Other partitions may lag behind the partition of the last record.
      while (found.size < uuids.size) for (const { uuid } of await readRecords(reader, 1)) found.add(uuid);
      expect(found.size).toBe(uuids.size);
    },
    120_000,
  );

  it('has every record that it acknowledged, where the answers of the broker are lost', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { brokers: [proxy.address], partitions: 2 });
    const clients = appending(log, 20);
    // On a slow machine, more rounds are needed until enough appends were tried.
    for (let round = 0; round < 5 || clients.acknowledged.size <= 100; round++) {
      await delay(200);
      proxy.swallowAnswers({ cutAfterMs: 100 });
      await delay(300);
      proxy.pass();
    }
    await delay(500);
    const { acknowledged } = clients;
    await clients.stop();
    const past = await logs.open(topic);
    const stored = await everything(past);
    const uuids = new Set(stored.map(({ uuid }) => uuid));
    expect([...acknowledged].filter((uuid) => !uuids.has(uuid))).toEqual([]);
    // The test drops answers, so that some records are sent again and are then in the topic twice.
    expect(stored.length).toBeGreaterThan(uuids.size);
  }, 60_000);

  it('tells no trouble where an idle connection was closed, also after a short outage that nobody waited out', async () => {
    const troubles: (string | undefined)[] = [];
    const log = await logs.open(logs.topic(), {
      brokers: [proxy.address],
      partitions: 2,
      appendMs: 300,
      onTrouble: (trouble) => troubles.push(trouble?.fault.message),
    });
    await log.append(newRecord('a'));
    await proxy.refuse();
    proxy.cut();
    const other = ['b', 'c', 'd', 'e'].find((certname) => partitionOf(certname, 2) !== partitionOf('a', 2)) as string;
    const refused = await Promise.allSettled(['a', other].map((certname) => log.append(newRecord(certname))));
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await proxy.accept();
    // On a busy machine, the outage can last long enough to be reported. The test then waits until the end of the
    // outage is reported.
    await stays(() => troubles.length === 0, { forMs: 2_500 }).catch(() => undefined);
    await until(() => troubles.at(-1) === undefined);
    const before = troubles.length;
    // An append to the other partition opens the connection that both partitions share, and finds the leaders of both.
    for (let stored = false; !stored;) stored = await log.append(newRecord(other)).then(Boolean, () => false);
    // Sends both in one turn of the event loop, so that the request uses the connection that is being closed.
    proxy.cut();
    await log.append(newRecord('a')).catch((error: unknown) => expect(error).toMatchObject({ kind: 'busy' }));
    await stays(() => troubles.length === before, { what: 'no report', forMs: 1_000 });
  }, 60_000);

  it.each([
    ['is away', () => proxy.refuse().then(() => proxy.cut())],
    ['says nothing', () => Promise.resolve(proxy.stall())],
  ])(
    'says busy in bounded time and bounded memory where the broker %s, and goes on after',
    async (_how, leave) => {
      const log = await logs.open(logs.topic(), { brokers: [proxy.address], appendMs: 1_500, waitingBytes: 1 << 20 });
      await log.append(newRecord('a'));
      await leave();
      const began = performance.now();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => log.append(newRecord(`node-${n}`, { payload: randomBytes(50_000) }))),
      );
      expect(performance.now() - began).toBeLessThan(4_000);
      const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined) as unknown);
      const [waited, full] = ['log.unavailable', 'log.full'].map(
        (code) => expect.objectContaining({ kind: 'busy', code }) as unknown,
      );
      // Both partitions are blocked. Each can take twice the memory that stays free, so together they take four fifths.
      const count = codes.filter((reason) => (reason as { code: string }).code === 'log.unavailable').length;
      expect(count).toBeGreaterThanOrEqual(14);
      expect(count).toBeLessThanOrEqual(17);
      expect(codes.slice(0, 8)).toEqual(Array(8).fill(waited));
      expect(codes.slice(30)).toEqual(Array(20).fill(full));
      await proxy.accept();
      proxy.cut();
      proxy.pass();
      await until(() => log.append(newRecord('b')).then(Boolean, () => false), { what: 'appends go on' });
    },
    60_000,
  );
});
