/**
 * Mutations that no test can notice, because the program does the same with them, each with the reason. They are not
 * drawn. An entry names the source, the text of the line, and what the mutation does.
 */
export interface Equivalent {
  readonly source: string;
  readonly line: string;
  readonly what: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    source: 'libs/projections/lifecycle/removals.ts',
    line: 'if (this.reportsBefore.size > 0) await this.deleteReports(session, schema);',
    what: '> becomes >=',
    reason: 'A statement with an empty list deletes nothing: the condition only saves it.',
  },
  {
    source: 'libs/projections/lifecycle/removals.ts',
    line: 'if (this.nodes.size === 0) return;',
    what: 'the condition never holds',
    reason: 'Statements with an empty list delete nothing: the condition only saves them.',
  },
  {
    source: 'libs/projections/lifecycle/removals.ts',
    line: 'if (deleted.length === 0) return;',
    what: 'the condition never holds',
    reason: 'Statements with an empty list delete nothing: the condition only saves them.',
  },
  {
    source: 'libs/projections/batch.ts',
    line: 'let weight = 0;',
    what: '0 becomes 1',
    reason: 'One of the 160 million that a batch may weigh, by estimate.',
  },
  {
    source: 'libs/log/embedded/embedded-command-log.ts',
    line: 'if (this.readers.size > 0) this.cache.add({ ...record, partition, offset });',
    what: '> becomes >=',
    reason: 'The cache, which is bounded, also holds records for readers that come later; they get the same records.',
  },
  {
    source: 'libs/log/embedded/embedded-command-log.ts',
    line: 'base: Math.max(...rows.map((row) => row.base)),',
    what: 'max becomes min',
    reason: 'All partitions have the same base: one statement writes the column of all rows.',
  },
  {
    source: 'libs/log/embedded/bases.ts',
    line: 'if (bytes + record.payload.length > batchBytes || batch.length >= batchRecords) await flush();',
    what: '> becomes >=',
    reason: 'The same records are written, at most cut one record earlier.',
  },
  {
    source: 'libs/log/append-queue.ts',
    line: 'const isOver = ({ deadline, settled }: Waiting<A>): boolean => !settled && deadline <= now;',
    what: '<= becomes <',
    reason: 'Differs only in a look at the very moment of a deadline: the next look gives the append up.',
  },
];
