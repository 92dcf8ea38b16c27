import { measureClocks } from './measure-clocks';

/** Simulates a database whose clock advances by the duration of each request and of each answer. */
function world({ aheadMs, trips }: { aheadMs: number; trips: readonly (readonly [number, number])[] }) {
  let time = Date.UTC(2026, 0, 1);
  let measurements = 0;
  let set = 0;
  return {
    measurements: () => measurements,
    setBack: (ms: number) => (set -= ms),
    sources: {
      now: () => time + aheadMs + set,
      elapsed: () => time,
      askDatabase: async () => {
        const [there, back] = trips[Math.min(measurements, trips.length - 1)] as readonly [number, number];
        measurements += 1;
        time += there;
        const answer = time;
        time += back;
        return answer;
      },
    },
  };
}

it.each([0, 59_000, -3_600_000])(
  'finds a clock that is %d ms ahead, with one question where the answer is quick',
  async (aheadMs) => {
    const { sources, measurements } = world({ aheadMs, trips: [[2, 2]] });
    expect(await measureClocks(sources)).toMatchObject({ aheadMs, uncertainMs: 2 });
    expect(measurements()).toBe(1);
  },
);

it('takes the middle of a long round trip, and knows what it does not know', async () => {
  const { sources, measurements } = world({ aheadMs: 1_000, trips: [[70_000, 90_000]] });
  const { aheadMs, uncertainMs } = await measureClocks(sources);
  expect(uncertainMs).toBe(80_000);
  expect(Math.abs(aheadMs - 1_000)).toBeLessThanOrEqual(uncertainMs);
  expect(measurements()).toBe(5);
});

it('asks again after a long round trip, and takes the shortest', async () => {
  const { sources, measurements } = world({
    aheadMs: 61_000,
    trips: [
      [100_000, 20],
      [20, 9_000],
      [3, 3],
      [1, 1],
    ],
  });
  expect(await measureClocks(sources)).toMatchObject({ aheadMs: 61_000, uncertainMs: 3 });
  expect(measurements()).toBe(3);
});

it('measures the round trip with a clock that nobody sets', async () => {
  const { sources, setBack } = world({ aheadMs: 0, trips: [[100, 100]] });
  const askDatabase = async (): Promise<number> => {
    const answer = await sources.askDatabase();
    setBack(3_600_000);
    return answer;
  };
  expect(await measureClocks({ ...sources, askDatabase })).toMatchObject({ aheadMs: -3_600_000, uncertainMs: 100 });
});
