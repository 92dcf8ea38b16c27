import { readSettings } from '#config';
import { ProjectionBench } from '../../../test/support/projection';
import { checkVolatileFacts } from './check-volatile-facts';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
});
afterAll(() => bench.close());

const check = (names: string): ReturnType<typeof checkVolatileFacts> =>
  checkVolatileFacts(readSettings([], { NODELEDGER_VOLATILE_FACTS: names }).settings, bench.db);

it('warns if the live tables were made with other names, and says which', async () => {
  expect(await check('up')).toMatchObject([{ level: 'ok' }]);
  const [finding] = await check('one,two');
  expect(finding?.level).toBe('warning');
  expect(finding?.text).toContain('one, two will be volatile, and up will no longer be volatile');
});

it('says nothing about tables of another form, which the next start rebuilds', async () => {
  await bench.rows('UPDATE nodeledger.generations SET projection_version = projection_version - 1');
  expect(await check('one')).toEqual([]);
});
