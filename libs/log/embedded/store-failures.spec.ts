import { Fault, type FaultCode } from '#fault';
import { storeFailures } from './store-failures';

/** Returns an error like the errors from PostgreSQL. */
const postgres = (code: string, severity = 'ERROR'): Error =>
  Object.assign(new Error(`said ${code}`), { code, severity });
const fault = (kind: Fault['kind'], code: FaultCode, cause?: unknown): Fault =>
  new Fault(kind, code, `said ${code}`, { cause });

test.each<[string, unknown, { retry: boolean; one: boolean; kind: string; code: string }]>([
  [
    'a value that cannot be stored',
    postgres('22P05'),
    { retry: false, one: true, kind: 'malformed', code: 'log.unstorable' },
  ],
  ['a row that is too large', postgres('54000'), { retry: false, one: true, kind: 'broken', code: 'log.append' }],
  ['a deadlock', postgres('40P01'), { retry: true, one: false, kind: 'busy', code: 'log.unavailable' }],
  [
    'a server that is read-only',
    postgres('25006'),
    { retry: false, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  // These errors end the connection, so it is not known whether the statement was executed.
  [
    'a server that ends',
    postgres('57P01', 'FATAL'),
    { retry: false, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  [
    'a connection that broke',
    postgres('ECONNRESET'),
    { retry: false, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  [
    'a server that cannot be reached',
    fault('busy', 'database.unreachable'),
    { retry: true, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  [
    'a pool without a free connection',
    fault('busy', 'database.crowded'),
    { retry: true, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  [
    'a server that refuses',
    fault('broken', 'database.refused'),
    { retry: false, one: true, kind: 'broken', code: 'log.append' },
  ],
  [
    'a connection that was cut off',
    fault('busy', 'database.cut-off'),
    { retry: false, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  [
    'a timeout that PostgreSQL reports',
    fault('timed-out', 'database.timeout', postgres('57014')),
    { retry: true, one: false, kind: 'busy', code: 'log.unavailable' },
  ],
  ['an error of the program', new Error('bug'), { retry: false, one: false, kind: 'broken', code: 'log.append' }],
])('%s', (_, error, { retry, one, kind, code }) => {
  expect({
    retry: storeFailures.isWorthRetry(error),
    one: storeFailures.mayBeOneRecord(error),
    fault: storeFailures.fault(error),
  }).toMatchObject({ retry, one, fault: { kind, code, cause: error } });
  expect(storeFailures.fault(error).message).toContain((error as Error).message);
});
