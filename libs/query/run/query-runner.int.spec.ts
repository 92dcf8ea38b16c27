import { Fault } from '#fault';
import { QueryBench } from '../testing/query-bench';
import { Deadline } from './deadline';

let bench: QueryBench;
beforeAll(async () => {
  bench = await QueryBench.open();
});
afterAll(() => bench.close());

test('a query ends when it loses its place', async () => {
  const lost = new AbortController();
  const place = { lost: lost.signal, inTurn: <T>(work: () => Promise<T>) => work(), leave: () => undefined };
  const limits = { deadline: new Deadline(60_000), place, gone: new AbortController().signal, asks: () => undefined };
  const reason = new Fault('busy', 'query.stalled', 'others wait');
  await expect(
    bench.runner.run(limits, () => {
      lost.abort(reason);
      return new Promise(() => undefined);
    }),
  ).rejects.toBe(reason);
});
