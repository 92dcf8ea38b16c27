import { Fault } from '#fault';

export const noPartition = (partition: number): Fault =>
  new Fault('missing', 'log.no-partition', `the log has no partition ${partition}`);

/** The position belongs to another log, or the log has lost its last records. */
export const pastEnd = (partition: number, offset: number, end: number): Fault =>
  new Fault('broken', 'log.past-end', `offset ${offset} of partition ${partition} lies past the log's end, ${end}`, {
    hint: 'The log was restored from an older state than the read tables, or created again: restore both from one backup, or rebuild.',
    details: { partition, offset, end },
  });

export const gap = (partition: number, wanted: number, found: number | undefined): Fault =>
  new Fault(
    'broken',
    'log.gap',
    `offset ${wanted} of partition ${partition} is missing from the log; ${found === undefined ? 'nothing' : `offset ${found}`} follows`,
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
