import fc from 'fast-check';
import { schedule } from './arbitraries';
import { propertyRuns, ScheduleRunner } from './schedule-runner';

let runner: ScheduleRunner;
beforeAll(async () => {
  runner = await ScheduleRunner.open();
});
afterAll(() => runner.close());

describe('the read tables', () => {
  it('say what the model says, however the projectors are started, stopped and killed', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        const played = await runner.play(steps);
        const { stored, expected } = await runner.compare(runner.bench.generation, played);
        expect(stored).toEqual(expected);
        expect(await runner.deadLetters(played.prefix)).toBe(played.model.deadLetters);
      }),
      { numRuns: propertyRuns(80) },
    );
  }, 600_000);

  it('say the same after a replay into a second generation', async () => {
    const letters = await runner.deadLetters('r');
    const second = await runner.bench.newGeneration();
    await runner.settle(second, { projectors: 2, batch: 37 });
    expect(await runner.bench.dump(second)).toEqual(await runner.bench.dump());
    for (const played of runner.models) {
      const { stored, expected } = await runner.compare(second, played);
      expect(stored).toEqual(expected);
    }
    expect(await runner.deadLetters('r')).toBe(letters);
  }, 120_000);
});
