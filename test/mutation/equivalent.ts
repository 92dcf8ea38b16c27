/**
 * Mutations that do not change the behavior of the program, so that no test can notice them, each with the reason. They
 * are not selected. An entry has the source, the text of the line, and the mutation.
 */
export interface Equivalent {
  readonly source: string;
  readonly line: string;
  readonly what: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    source: 'libs/log/embedded/embedded-command-log.ts',
    line: 'base: Math.max(...rows.map((row) => row.base)),',
    what: 'max becomes min',
    reason: 'All partitions have the same base: one statement writes the column of all rows.',
  },
  {
    source: 'libs/log/append-queue.ts',
    line: 'const isOver = ({ deadline, settled }: Waiting<A>): boolean => !settled && deadline <= now;',
    what: '<= becomes <',
    reason: 'Differs only in a look at the very moment of a deadline: the next look gives the append up.',
  },
  {
    source: 'libs/log/embedded/embedded-command-log.ts',
    line: 'let raised = false;',
    what: 'false becomes true',
    reason: 'Readers wake up, find nothing new, and wait again.',
  },
  {
    source: 'libs/log/embedded/embedded-command-log.ts',
    line: 'if (end <= (this.known.get(partition) ?? 0)) continue;',
    what: '<= becomes <',
    reason: 'Readers wake up, find nothing new, and wait again.',
  },
  {
    source: 'libs/log/embedded/read-statements.ts',
    line: 'const ofEach = Math.min(limits.maxRecords, 2 * Math.ceil(limits.maxRecords / next.size));',
    what: 'min becomes max',
    reason: 'The statement looks at more rows and leaves those beyond the limits out.',
  },
  {
    source: 'libs/log/embedded/read-statements.ts',
    line: 'const ofEach = Math.min(limits.maxRecords, 2 * Math.ceil(limits.maxRecords / next.size));',
    what: '2 becomes 3',
    reason: 'The statement looks at more rows and leaves those beyond the limits out.',
  },
  {
    source: 'libs/log/embedded/read-statements.ts',
    line: 'ORDER BY log_offset LIMIT ${whole(ofEach + 1)}',
    what: '1 becomes 2',
    reason: 'The statement looks at one row more and leaves it out.',
  },
  {
    source: 'libs/query/kinds/path.ts',
    line: 'if (wanted.length === 0) return constant(false);',
    what: 'the condition never holds',
    reason: 'The statement then asks for paths of depth -1, and there are none.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'left: conjuncts(test, odd) > visibleConjuncts.most ? visibleConjuncts.shown : Infinity,',
    what: '> becomes >=',
    reason: 'Differs for exactly 500 members; the bound was chosen by measurement.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (count <= conjunction.left) {',
    what: '<= becomes <',
    reason: 'The planner sees one member fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/plan/plan-condition.ts',
    line: 'if (operator === undefined) throw new Error(`not an operator: ${name}`);',
    what: 'the condition never holds',
    reason: 'Whoever reads a condition has looked the operator up before.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: '} else if (member.kind === kind && conjunction.left > 0) {',
    what: '0 becomes 1',
    reason: 'The planner sees one member fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (!column) return;',
    what: 'the condition never holds',
    reason: 'The plan gives as many columns as there are fields.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (parts.length + hidden.length === 0) return write(members, counted, negated);',
    what: 'the condition never holds',
    reason: 'The members are written in the same way, after they were merged.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (shown.length > 0) parts.unshift(write(shown, counted, negated));',
    what: '> becomes >=',
    reason: 'Adds a member that changes nothing: true to a conjunction, false to alternatives.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (hidden.length > 0) parts.push(sql`coalesce(${write(hidden, counted, negated)}, ${odd ? sql`true` : sql`false`})`);',
    what: '> becomes >=',
    reason: 'Adds a member that changes nothing: true to a conjunction, false to alternatives.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (hidden.length === 0) conjunction.left--;',
    what: 'the condition never holds',
    reason: 'The planner sees a few members more or fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (hidden.length === 0) conjunction.left--;',
    what: '=== becomes !==',
    reason: 'The planner sees a few members more or fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/sql/condition-sql.ts',
    line: 'if (hidden.length === 0) conjunction.left--;',
    what: '0 becomes 1',
    reason: 'The planner sees a few members more or fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/sql/conjunction.ts',
    line: 'count = 0;',
    what: '0 becomes 1',
    reason: 'The planner sees a few members more or fewer of more than 500; the rows are the same.',
  },
  {
    source: 'libs/query/sql/conjunction.ts',
    line: 'counted.set(test, count);',
    what: 'this goes: counted.set(test, count);',
    reason: 'The counts are made again where they are needed again.',
  },
  {
    source: 'libs/database/position-waits.ts',
    line: 'if (waiter.missing !== undefined && isMissing(waiter.missing)) return undefined;',
    what: 'the condition never holds',
    reason: 'The condition only saves a look at the other positions.',
  },
];
