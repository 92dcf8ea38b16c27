import { Fault } from '#fault';
import { builtProgram } from '../../../test/support/built';
import { IntakeLimits } from '../intake-limits';
import { BodyReader } from './body-reader';

// The thread runs the built program.
builtProgram('server');

let reader: BodyReader;
beforeEach(() => (reader = new BodyReader(new IntakeLimits(20_000_000))));
afterEach(() => reader.onModuleDestroy());

const bodyOf = (certname: string, bytes: number): Buffer =>
  Buffer.from(
    `{"command":"replace facts","version":5,"payload":{"certname":"${certname}","values":"${'é'.repeat(bytes / 2)}"}}`,
  );
const read = (address: string, certname: string, signal?: AbortSignal, bytes = 2_000_000): Promise<string> =>
  reader.read('bodyForm', bodyOf(certname, bytes), 0, { address, signal }).then((read) => read.certname);

test.each([10, 2_000_000])('reads the command of a body with %i bytes', async (bytes) => {
  const read = await reader.read('bodyForm', bodyOf('web1.test', bytes), 0, {});
  expect(read).toMatchObject({ command: 'replace facts', version: 5, certname: 'web1.test' });
  expect(Buffer.isBuffer(read.payload)).toBe(true);
  expect(read.payload.toString()).toBe(`{"certname":"web1.test","values":"${'é'.repeat(bytes / 2)}"}`);
});

test('passes on the fault of a large report, with its problems', async () => {
  const report = Buffer.from(`{"host":"web1.test","noop":1${' '.repeat(100_000)}}`);
  const fault = await reader.read('agentReport', report, 0, {}).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind: 'malformed', code: 'wire.shape' });
  expect((fault as Fault).details).toContainEqual({ path: 'noop', expected: 'a boolean', found: 'a number' });
});

test('does not hold up the thread of the caller', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await reader.read('bodyForm', bodyOf('web1.test', 19_000_000), 0, {});
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

test('client addresses take turns', async () => {
  const order: string[] = [];
  const reads = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) =>
    read(name[0]!, name).then((certname) => order.push(certname)),
  );
  await Promise.all(reads);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('drops the body of a client at once when it leaves, and reads the others', async () => {
  const [waits, early] = [new AbortController(), AbortSignal.abort(new Error('left before'))];
  let isFirstRead = false;
  const first = read('a', 'a1', undefined, 15_000_000).finally(() => (isFirstRead = true));
  const abandoned = read('b', 'b1', waits.signal);
  const others = ['b2', 'c1'].map((name) => read(name[0]!, name));
  waits.abort(new Error('left'));
  await expect(abandoned).rejects.toThrow('left');
  await expect(read('b', 'b3', early)).rejects.toThrow('left before');
  expect(isFirstRead).toBe(false);
  expect(await Promise.all([first, ...others])).toEqual(['a1', 'b2', 'c1']);
});
