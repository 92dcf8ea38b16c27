/**
 * If several processes open the log at once, the process that creates the topic writes the headers, and the others wait
 * for them. If this process dies, the next process that opens the log writes the missing headers.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import type { LogIdentity } from '../record';
import type { Base, BaseContext } from './kafka-bases';
import type { KafkaSender } from './kafka-sender';
import { format, headerCommand, headerMessage, readHeader } from './marks';
import { commandOf, type ReadMessage } from './record-message';
import type { OffsetRange } from './topic-admin';
import { checkSettings, neededConfig, type TopicSettings } from './topic-settings';

interface OpeningOptions {
  readonly partitions: number;
  readonly replication?: number | undefined;
  readonly expectedLogId?: string | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
  readonly leastMessageBytes: number;
  readonly makeMessageBytes: number;
  /** Time to wait for headers from another process before this process writes missing headers. Default: 10 s. */
  readonly headerPatienceMs?: number | undefined;
}

export interface OpenedTopic extends TopicSettings {
  readonly identity: LogIdentity;
  /**
   * For each partition, the offset after the header, or after all headers if several processes wrote one. If the log has no base,
   * the tail begins there.
   */
  readonly begins: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
}

type OpeningContext = BaseContext & { readonly sender: KafkaSender };
type Ranges = ReadonlyMap<number, OffsetRange>;
type Headers = ReadonlyMap<number, ReadonlyMap<number, ReadMessage>>;

const lookMs = 200;
const mostHeaders = 8;
/** After this time, a header that another process has sent can be read. */
const settleMs = 1_000;

export async function openTopic(
  context: OpeningContext,
  base: Base | undefined,
  options: OpeningOptions,
): Promise<OpenedTopic> {
  const { admin, topic } = context;
  const exists = (await admin.list()).includes(topic);
  const made = !exists && (await make(context, base, options));
  const settings = await checkSettings(admin, topic, options.leastMessageBytes, options.onNotice);
  // Another process may already have written the headers if the creation took a long time.
  if (made && [...(await admin.offsets(topic)).values()].every(({ high }) => high === 0)) {
    await writeHeaders(context, [...Array(options.partitions).keys()], randomUUID(), options.partitions);
  }
  const ranges = await withHeaders(context, base, options);
  const headers = await readHeaders(context, ranges);
  const identity = identityOf(topic, ranges, headers, base);
  checkExpected(topic, identity, options.expectedLogId);
  checkWhole(topic, ranges, base);
  const begins = new Map([...ranges.keys()].map((partition) => [partition, leadingHeaders(headers.get(partition))]));
  const ends = new Map([...ranges].map(([partition, { high }]) => [partition, high]));
  return { ...settings, identity, begins, ends };
}

async function make(
  { admin, topic }: OpeningContext,
  base: Base | undefined,
  options: OpeningOptions,
): Promise<boolean> {
  const { expectedLogId, partitions, replication, makeMessageBytes } = options;
  if (expectedLogId !== undefined || base !== undefined) {
    const proof = base === undefined ? 'the read tables were made' : `its base, topic ${base.topic}, exists, of`;
    throw new Fault(
      'conflict',
      'log.missing',
      `topic ${topic} does not exist, but ${proof} from log ${expectedLogId ?? base?.logId}`,
      {
        hint: 'Check KAFKA_BROKERS and the name of the topic. If the topic was deleted, restore it, or start with empty read tables. Nothing has been created.',
      },
    );
  }
  if (!Number.isInteger(partitions) || partitions < 1) {
    throw new Fault('malformed', 'log.partitions', `a log cannot have ${partitions} partitions`);
  }
  return admin.create(topic, partitions, replication, neededConfig(makeMessageBytes));
}

/**
 * Does not send a header again if it may already be stored. The next process that opens the log writes the missing
 * headers.
 */
async function writeHeaders(
  { sender, topic }: OpeningContext,
  partitions: readonly number[],
  logId: string,
  count: number,
): Promise<void> {
  const header = { logId, format, partitions: count };
  await sender.sendOnce(
    topic,
    partitions.map((partition) => headerMessage(partition, header)),
  );
}

async function withHeaders(context: OpeningContext, base: Base | undefined, options: OpeningOptions): Promise<Ranges> {
  const { admin, topic } = context;
  const patienceMs = options.headerPatienceMs ?? 10_000;
  const empty = (ranges: Ranges): number[] => [...ranges].filter(([, { high }]) => high === 0).map(([p]) => p);
  for (let round = 0; round < 3; round++) {
    const until = performance.now() + patienceMs;
    for (;;) {
      const ranges = await admin.offsets(topic);
      const missing = empty(ranges);
      if (missing.length === 0) return ranges;
      await refuseEmpty(context, ranges, missing, base, options.expectedLogId);
      if (performance.now() > until) break;
      await delay(lookMs);
    }
    // Several processes can wait for the same headers. The random delay keeps them from writing headers at the same
    // time.
    await delay(Math.random() * settleMs);
    const headers = await readHeaders(context, await admin.offsets(topic));
    // Commands may have arrived while the headers were read. A header after a command would make the log unreadable.
    const ranges = await admin.offsets(topic);
    const missing = empty(ranges);
    const [first] = [...headers.values()].flatMap((messages) => [...messages.values()]);
    if (missing.length === ranges.size) {
      // If several processes write headers, the first header in partition 0 decides the id of the log.
      await writeHeaders(context, [0], randomUUID(), ranges.size);
    } else if (missing.length > 0 && first !== undefined) {
      const { logId } = readHeader(first, topic, 0);
      await writeHeaders(context, missing, logId, ranges.size);
    }
    await delay(settleMs);
  }
  throw new Fault('busy', 'log.unavailable', `the headers of topic ${topic} could not be written`);
}

/**
 * Throws if the log already had records. In this case, an interrupted creation cannot be the reason for its empty
 * partitions.
 */
async function refuseEmpty(
  context: OpeningContext,
  ranges: Ranges,
  missing: readonly number[],
  base: Base | undefined,
  expectedLogId: string | undefined,
): Promise<void> {
  const { topic } = context;
  const hint =
    'It was deleted and created again, or its partitions were added from outside. Restore it from a backup. Nothing has been changed.';
  if (base !== undefined || (expectedLogId !== undefined && missing.length === ranges.size)) {
    throw new Fault(
      'conflict',
      'log.foreign',
      `topic ${topic} is empty, but log ${base?.logId ?? expectedLogId} was in it`,
      {
        hint,
      },
    );
  }
  const filled = [...ranges].filter(([, { low, high }]) => low > 0 || high > mostHeaders);
  const headers = await readHeaders(context, ranges);
  for (const [partition, messages] of headers) {
    if (messages.size === 0) continue;
    const { partitions } = readHeader(messages.get(0), topic, partition);
    if (partitions !== ranges.size) throw otherCount(topic, ranges.size, partitions);
    if (filled.length > 0 || (ranges.get(partition)?.high ?? 0) > leadingHeaders(messages)) {
      throw new Fault(
        'broken',
        'log.foreign',
        `partition ${missing[0]} of topic ${topic} is empty, others have records`,
        {
          hint,
        },
      );
    }
  }
}

/**
 * Reads the first message of each partition whose beginning was not truncated. Reads more messages if a partition
 * begins with several headers.
 */
async function readHeaders({ cluster, topic }: OpeningContext, ranges: Ranges): Promise<Headers> {
  const whole = [...ranges].filter(([, { low, high }]) => low === 0 && high > 0);
  let found = await look((high) => Math.min(high, 2));
  const doubled = [...found.values()].some((messages) => messages.size === 2 && leadingHeaders(messages) === 2);
  if (doubled) found = await look((high) => Math.min(high, mostHeaders));
  return found;

  function look(count: (high: number) => number): Promise<Headers> {
    return cluster.read(
      topic,
      new Map(whole.map(([partition, { high }]) => [partition, [...Array(count(high)).keys()]])),
    );
  }
}

function leadingHeaders(messages: ReadonlyMap<number, ReadMessage> | undefined): number {
  let count = 0;
  for (;;) {
    const message = messages?.get(count);
    if (message === undefined || commandOf(message) !== headerCommand) return Math.max(1, count);
    count += 1;
  }
}

function identityOf(topic: string, ranges: Ranges, headers: Headers, base: Base | undefined): LogIdentity {
  let identity: LogIdentity | undefined = base && { logId: base.logId, partitions: base.partitions };
  for (const [partition, messages] of headers) {
    const { logId, partitions } = readHeader(messages.get(0), topic, partition);
    identity ??= { logId, partitions };
    if (logId === identity.logId && partitions === identity.partitions) continue;
    throw new Fault(
      'broken',
      'log.foreign',
      `partition ${partition} of topic ${topic} is of log ${logId}, not of ${identity.logId}`,
      { hint: 'Topics of two logs were mixed. Restore them from one backup.' },
    );
  }
  if (identity === undefined) {
    throw new Fault(
      'broken',
      'log.truncated',
      `every partition of topic ${topic} has lost its beginning, and no base covers it`,
      {
        hint: 'Records were deleted from outside (retention, deleteRecords). Restore the topic from a backup.',
      },
    );
  }
  if (identity.partitions !== ranges.size) throw otherCount(topic, ranges.size, identity.partitions);
  return identity;
}

const otherCount = (topic: string, found: number, expected: number): Fault =>
  new Fault('conflict', 'log.partitions', `topic ${topic} has ${found} partitions, its log was made with ${expected}`, {
    hint: 'Partitions cannot be added to a log: a node would change its partition. Copy it to another topic with the count that you want: nodeledger log copy.',
    details: { found, expected },
  });

function checkExpected(topic: string, { logId }: LogIdentity, expected: string | undefined): void {
  if (expected === undefined || logId === expected) return;
  throw new Fault(
    'conflict',
    'log.foreign',
    `topic ${topic} holds log ${logId}, but the read tables were made from ${expected}`,
    {
      hint: 'The topic was created again, or belongs to another installation. Name the right topic, or rebuild the read tables from this log: nodeledger rebuild.',
      details: { found: logId, expected },
    },
  );
}

function checkWhole(topic: string, ranges: Ranges, base: Base | undefined): void {
  for (const [partition, { low, high }] of ranges) {
    const tail = base?.tails.get(partition) ?? 0;
    if (low > tail) {
      throw new Fault(
        'broken',
        'log.truncated',
        `partition ${partition} of topic ${topic} begins at offset ${low}; the records from ${tail} on are gone, and no base covers them`,
        {
          hint: 'They were deleted from outside (retention, deleteRecords). Restore the topic from a backup.',
          details: { partition, begins: low, expected: tail },
        },
      );
    }
    if (high < tail) {
      throw new Fault(
        'broken',
        'log.truncated',
        `partition ${partition} of topic ${topic} ends at offset ${high}, but its base reaches to ${tail}`,
        {
          hint: 'The topic lost its end, or was created again. Restore it and its base from one backup.',
          details: { partition, end: high, expected: tail },
        },
      );
    }
  }
}
