import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ChecksumCheck, type ChecksumPolicy } from './checksum-check';
import type { Submission } from './submission';

const payload = Buffer.from('{"certname":"grün","values":{}}');
const sha1 = (text: string | Buffer): string => createHash('sha1').update(text).digest('hex');
const submission = (checksum: string | undefined, more: Partial<Submission> = {}): Submission => ({
  command: 'replace facts',
  version: 5,
  certname: 'grün',
  encoding: 'identity',
  payload,
  waitMs: 0,
  headers: {},
  ...(checksum === undefined ? {} : { checksum }),
  ...more,
});
const mismatches: number[] = [];
const checker = (policy: ChecksumPolicy): ChecksumCheck =>
  new ChecksumCheck({ policy, onMismatch: (count) => mismatches.push(count) });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  mismatches.length = 0;
});
afterEach(() => jest.useRealTimers());

const envelope = `{"command":"replace facts","version":5,"certname":"grün","payload":${payload.toString()}}`;

test.each([
  ['none', undefined],
  ['of the payload', sha1(payload)],
  ['of the envelope', sha1(envelope)],
  ['in capitals', sha1(envelope).toUpperCase()],
])('a checksum that is right (%s) counts as no mismatch', async (_, checksum) => {
  const check = checker('refuse');
  await check.check(submission(checksum), 1_000);
  await check.check(submission(checksum, { payload: gzipSync(payload), encoding: 'gzip' }), 1_000);
  expect(check.mismatches).toBe(0);
});

test('wrong ones are accepted, counted, and told at most once a minute', async () => {
  const check = checker('warn');
  for (let second = 0; second < 90; second++) {
    await check.check(submission(second % 2 === 0 ? '0'.repeat(40) : 'x'.repeat(100_000)), 1_000);
    await check.settled();
    jest.advanceTimersByTime(1_000);
  }
  expect(check.mismatches).toBe(90);
  expect(mismatches).toEqual([1, 59]);
  // The last mismatches are reported even if no other mismatch follows.
  jest.advanceTimersByTime(60_000);
  expect(mismatches).toEqual([1, 59, 30]);
  jest.advanceTimersByTime(600_000);
  expect(mismatches).toEqual([1, 59, 30]);
});

test('where wrong ones are only told, a payload that cannot be inflated is left to the projector', async () => {
  const check = checker('warn');
  const sent = submission(sha1(payload), { encoding: 'gzip', payload: Buffer.from('no gzip') });
  await check.check(sent, 1_000);
  await check.check(submission(sha1('x'), { encoding: 'gzip', payload: gzipSync('x'.repeat(2_000)) }), 1_000);
  await check.settled();
  expect(check.mismatches).toBe(0);
  await expect(checker('refuse').check(sent, 1_000)).rejects.toMatchObject({ code: 'wire.gzip' });
});

test('ignored: not looked at', async () => {
  const check = checker('ignore');
  await check.check(submission('0'), 1_000);
  expect(check.mismatches).toBe(0);
});

test('a large payload leaves the event loop to others while it is hashed', async () => {
  const large = Buffer.alloc(16 << 20, 'x');
  let turns = 0;
  let hashing = true;
  const count = (): void => {
    turns += 1;
    if (hashing) setImmediate(count);
  };
  setImmediate(count);
  await checker('refuse').check(submission(sha1(large), { payload: large }), large.length);
  hashing = false;
  expect(turns).toBeGreaterThan(8);
});

test('where wrong ones are only told, nobody waits for the look, and what waits for it is bounded', async () => {
  const check = checker('warn');
  const large = submission('0'.repeat(40), { payload: Buffer.alloc(10 << 20, 'x') });
  for (let count = 0; count < 20; count++) await check.check(large, 1 << 30);
  expect(check.mismatches).toBe(0);
  await check.settled();
  expect(check.mismatches).toBe(3);
});
