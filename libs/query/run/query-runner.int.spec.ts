import { Fault } from '#fault';
import { QueryBench } from '../testing/query-bench';
import { Deadline } from './deadline';

let bench: QueryBench;
beforeAll(async () => {
  bench = await QueryBench.open();
});
afterAll(() => bench.close());

test('a query ends when it loses its permit', async () => {
  const lost = new AbortController();
  const permit = { lost: lost.signal, inSlot: <T>(work: () => Promise<T>) => work(), leave: () => undefined };
  const limits = {
    deadline: new Deadline(60_000),
    permit,
    gone: new AbortController().signal,
    onStatement: () => undefined,
  };
  const reason = new Fault('busy', 'query.stalled', 'others wait');
  await expect(
    bench.runner.run(limits, () => {
      lost.abort(reason);
      return new Promise(() => undefined);
    }),
  ).rejects.toBe(reason);
});
