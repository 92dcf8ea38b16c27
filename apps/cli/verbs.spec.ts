import { auditCommand, auditTable } from './audit';
import { rebuildCommand, rebuildLines } from './rebuild';
import { snapshotCommand, snapshotLines } from './snapshot';
import { tokenCommand, tokenTable } from './token';
import { verdictLines, verifyCommand } from './verify';
import { copyLines } from './log/copy';
import { logCommand } from './log';
import { planLines } from './maintenance/snapshot-plan';

const quiet = { writeErr: () => undefined, writeOut: () => undefined };
const comparison = { differences: [], counted: 0, rows: 5000 };
const rebuilt = { generation: 2, schema: 'gen_2', records: 3000, seconds: 2, switched: true, comparison };

describe('what cannot be asked together is refused before anything is opened', () => {
  it.each([
    ['--resume', '--restart'],
    ['--dry-run', '--resume'],
    ['--rollback', '--dry-run'],
    ['--rollback', '--drop-previous'],
    ['--to-position', '0-1', '--accept-differences'],
    ['--to-position', '0-1', '--drop-previous'],
  ])('rebuild %s %s %s', async (...flags) => {
    const command = rebuildCommand().exitOverride().configureOutput(quiet);
    await expect(command.parseAsync(flags, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.conflictingOption',
    });
  });
});

it.each([
  [rebuildCommand, ['--to-position', '0:1']],
  [snapshotCommand, ['--history', 'a week']],
  [verifyCommand, ['--most', 'all']],
  [tokenCommand, ['create', 'a', '--role', 'querry']],
  [tokenCommand, ['create', 'a', '--role', 'submit-own']],
  [tokenCommand, ['create', 'a', '--role', 'query', '--expires', '0']],
  [auditCommand, ['--limit', 'all']],
  [auditCommand, ['--before', 'yesterday']],
  [logCommand, ['copy', '--to-topic', 'a', '--partitions', 'many']],
  [logCommand, ['copy', '--to-topic', 'a', '--to-brokers', 'k1']],
])('a value that cannot be read is refused: %p %j', async (make, flags) => {
  const command = make().exitOverride().configureOutput(quiet);
  for (const sub of command.commands) sub.exitOverride().configureOutput(quiet);
  await expect(command.parseAsync(flags, { from: 'user' })).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  });
});

it('flags that are no settings of the service are refused by name', async () => {
  await expect(verifyCommand().parseAsync(['--dat-dir', 'x'], { from: 'user' })).rejects.toMatchObject({
    code: 'config.refused',
    message: expect.stringMatching(/--dat-dir=x .*did you mean --data-dir/) as string,
  });
});

describe('summaries', () => {
  test('of a rebuild', () => {
    expect(rebuildLines(rebuilt, {})).toBe(
      '3,000 records in 2.0 s (1,500 records/s) replayed into gen_2\n' +
        '5,000 rows compared with the live tables, no differences\n' +
        'gen_2 is live. The previous tables are kept for `nodeledger rebuild --rollback` until the next rebuild.\n',
    );
    const row = { table: 'nodes', certname: 'a.test', live: '{"x":1}', replayed: '{"x":2}' };
    const differing = { differences: [row], counted: 3, rows: 5000 };
    expect(rebuildLines({ ...rebuilt, switched: false, comparison: differing }, { dryRun: true })).toBe(
      '3,000 records in 2.0 s (1,500 records/s) replayed into gen_2\n' +
        'nodes of a.test: differs\n    x: live 1, log 2\nand 2 more rows\n3 rows of 5,000 differ\nNothing was changed.\n',
    );
  });

  test('of a verification', () => {
    expect(verdictLines({ ...comparison, records: 10, seconds: 1 })).toBe(
      '10 records in 1.0 s (10 records/s) replayed, 5,000 rows compared\nthe read tables agree with the log\n',
    );
    const row = { table: 'nodes', certname: null, live: '{"x":1}', replayed: null };
    expect(verdictLines({ differences: [row], counted: 1, rows: 5, records: 10, seconds: 1 })).toMatch(
      /^nodes: only in the live tables\n {4}x: 1\n10 records .*\n1 row differs; .*--accept-differences/,
    );
  });

  test('of a snapshot and of what it will do', () => {
    const moves = new Map([
      [0, { from: 1, to: 1 }],
      [3, { from: 10, to: 45 }],
      [7, { from: 1, to: 8 }],
    ]);
    expect(planLines({ moves, records: 42 }, '30d')).toMatch(
      /^This removes from the log records older than 30d: up to 42 records, those before 3-45, 7-8\.\n/,
    );
    expect(planLines({ moves: new Map([[0, { from: 1, to: 1 }]]), records: 0 }, '0')).toBe('');
    const outcome = { nothingToDo: false, kept: 1200, removed: 3400, seconds: 0.5, tails: new Map() };
    expect(snapshotLines(outcome)).toBe('3,400 records removed, 1,200 records kept in the base, in 500 ms\n');
  });

  test('of a copy', () => {
    const target = { brokers: ['k1:9092', 'k2:9092'], topic: 'other', partitions: 4 };
    expect(copyLines({ records: 1, seconds: 1 }, target)).toMatch(
      /\n {2}KAFKA_BROKERS=k1:9092,k2:9092\n {2}NODELEDGER_LOG_TOPIC=other\n/,
    );
  });
});

it('lists of tokens and of the audit log are columns, without control characters of clients', () => {
  const at = new Date('2026-01-31T12:00:00Z');
  const dates = { created: at, expires: null, revoked: null, lastUsed: at };
  expect(tokenTable([])).toBe('no tokens\n');
  expect(tokenTable([{ name: 'dash', roles: ['query', 'metrics'], ...dates }])).toBe(
    'NAME  STATE  ROLES          CREATED                   EXPIRES  LAST USED\n' +
      'dash  valid  query metrics  2026-01-31T12:00:00.000Z  never    2026-01-31T12:00:00.000Z\n',
  );
  expect(tokenTable([{ name: 'old', roles: ['query'], ...dates, expires: at }])).toMatch(/old +expired/);
  const entry = {
    at,
    actor: 'token dash',
    address: null,
    action: 'delete node',
    subject: 'a\u001b[2Jb',
    outcome: null,
  };
  expect(auditTable([])).toBe('no entries\n');
  expect(auditTable([entry])).toBe(
    'TIME                      WHO         FROM          WHAT                OUTCOME\n' +
      '2026-01-31T12:00:00.000Z  token dash  command line  delete node a [2Jb  not finished\n',
  );
});
