import { Fault } from '#fault';
import type { Base } from './kafka-bases';
import type { OffsetRange } from './topic-admin';

/** Where a partition is read from: its tail, or first the base. */
export interface ReadStart {
  /** Offset of the first record to give. */
  readonly offset: number;
  readonly base?: Base;
}

interface Extent {
  readonly topic: string;
  readonly ranges: ReadonlyMap<number, OffsetRange>;
  readonly base: Base | undefined;
  /** Where the tails begin without a base. */
  readonly begins: ReadonlyMap<number, number>;
}

/**
 * Checks wanted offsets against what the log holds. Faults: `log.no-partition`, `log.past-end`, `log.gap`,
 * `log.before-base` where an offset lies below the tail and not at one of the base's ends; what lies between is checked
 * when it is read.
 */
export function readStarts(start: ReadonlyMap<number, number>, extent: Extent): ReadonlyMap<number, ReadStart> {
  return new Map([...start].map(([partition, offset]) => [partition, readStartOf(partition, offset, extent)]));
}

function readStartOf(partition: number, offset: number, { ranges, base, begins, topic }: Extent): ReadStart {
  const range = ranges.get(partition);
  if (range === undefined) throw new Fault('missing', 'log.no-partition', `the log has no partition ${partition}`);
  if (offset > range.high) {
    throw new Fault(
      'broken',
      'log.past-end',
      `offset ${offset} of partition ${partition} lies past the log's end, ${range.high}`,
      {
        hint: 'The log was restored from an older state than the read tables, or created again: restore both from one backup, or rebuild.',
        details: { partition, offset, end: range.high },
      },
    );
  }
  const tail = base?.tails.get(partition) ?? begins.get(partition) ?? 1;
  const first = Math.max(offset, tail);
  if (range.low > first) throw missing(topic, partition, first, range.low);
  if (offset >= tail) return { offset };
  if (base === undefined) return { offset: tail };
  const begin = base.starts.get(partition) ?? tail;
  if (offset > 1 && offset < begin) throw beforeBase(partition, offset);
  return begin === tail ? { offset: tail } : { offset: Math.max(offset, begin), base };
}

const missing = (topic: string, partition: number, wanted: number, found: number): Fault =>
  new Fault(
    'broken',
    'log.gap',
    `offset ${wanted} of partition ${partition} is missing from topic ${topic}; it begins with ${found}`,
    {
      hint: 'Records were removed from the log. Restore it from a backup; reading does not skip.',
      details: { partition, wanted, found },
    },
  );

export const beforeBase = (partition: number, offset: number): Fault =>
  new Fault(
    'broken',
    'log.before-base',
    `offset ${offset} of partition ${partition} lies before the log's tail, and its base has no record there`,
    {
      hint: 'The log was truncated past these read tables. Rebuild them: nodeledger rebuild.',
      details: { partition, offset },
    },
  );
