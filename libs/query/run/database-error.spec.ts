import { Fault } from '#fault';
import { explainDatabaseError, tableMissing } from './database-error';

const raised = (code: string, message = 'said so'): Error => Object.assign(new Error(message), { code });

test.each(['22P02', '2201B', '22003', '21000', '54001', '42883', '42804', '0A000'])(
  'SQLSTATE %s is the query’s own fault, in PostgreSQL’s words',
  (code) => {
    expect(explainDatabaseError(raised(code), 1000)).toMatchObject({
      kind: 'malformed',
      message: 'ERROR: said so',
      details: { sqlState: code },
    });
  },
);

test.each(['57P01', '53300', '40001', '08006'])('SQLSTATE %s is worth another try', (code) => {
  expect(explainDatabaseError(raised(code), 1000)).toMatchObject({ kind: 'busy' });
});

test.each(['42601', '42703', '42501', '42P01', 'XX000'])('SQLSTATE %s is ours: it stays what it is', (code) => {
  const error = raised(code);
  expect(explainDatabaseError(error, 1000)).toBe(error);
});

test('a timeout names its limit and is a 500; missing tables are told apart', () => {
  const timeout = explainDatabaseError(new Fault('timed-out', 'database.timeout', 'x'), 1500) as Fault;
  expect(timeout).toMatchObject({ kind: 'timed-out', code: 'query.timeout', details: { status: 500 } });
  expect(timeout.message).toContain('1.5 seconds');
  expect([tableMissing(raised('42P01')), tableMissing(raised('3F000')), tableMissing(raised('22P02'))]).toEqual([
    true,
    true,
    false,
  ]);
});
