import { databaseErrorCode, isRetriable } from '#database';
import { Fault } from '#fault';
import { postedError, receivedError } from './posted-error';

/** Returns the error as another thread would receive it. */
const passed = (error: unknown): Error => receivedError(structuredClone(postedError(error)));

test('a fault arrives as a fault, without its details', () => {
  const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  const fault = new Fault('conflict', 'database.retired', 'no longer filled', {
    hint: 'Begin again.',
    details: 1,
    cause,
  });
  const arrived = passed(fault);
  expect(arrived).toBeInstanceOf(Fault);
  expect(arrived).toMatchObject({
    ...{ kind: 'conflict', code: 'database.retired', message: 'no longer filled', hint: 'Begin again.' },
    cause: { message: 'connection refused', code: 'ECONNREFUSED' },
  });
  expect((arrived as Fault).details).toBeUndefined();
});

test('another error keeps its name, its code, its stack and its cause', () => {
  const error = new TypeError('x is not a function', { cause: Object.assign(new Error('lost'), { code: '57P01' }) });
  const arrived = passed(error);
  expect(arrived).toMatchObject({ name: 'TypeError', message: 'x is not a function', cause: { code: '57P01' } });
  expect(arrived.stack).toMatch(/^TypeError: x is not a function\n\s+at .*posted-error\.spec/);
  expect(arrived).not.toHaveProperty('code');
});

test.each([
  ['a code of PostgreSQL', Object.assign(new Error('too many connections'), { code: '53300' })],
  ['the code of a cause', new Error('outer', { cause: Object.assign(new Error('gone'), { code: '57P01' }) })],
  ['a fault', new Fault('busy', 'log.unavailable', 'no broker')],
  ['a fault behind an error', new Error('outer', { cause: new Fault('busy', 'log.unavailable', 'no broker') })],
  [
    'a fault behind a fault',
    new Fault('broken', 'log.append', 'outer', { cause: new Fault('busy', 'log.unavailable', 'no broker') }),
  ],
  [
    'each attempt of a connection',
    new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), new Error('a defect')]),
  ],
  ['a defect', new Error('a defect')],
])('%s says here, too, whether to try again', (_, error) => {
  expect(isRetriable(passed(error))).toBe(isRetriable(error));
  expect(databaseErrorCode(passed(error))).toBe(databaseErrorCode(error));
});

test('only the first ten errors of an aggregate arrive', () => {
  const errors = Array.from({ length: 11 }, (_, index) => new Error(`attempt ${index}`));
  const arrived = passed(new AggregateError(errors)) as AggregateError;
  expect(arrived.errors.map((error) => (error as Error).message)).toEqual(
    errors.slice(0, 10).map(({ message }) => message),
  );
});
