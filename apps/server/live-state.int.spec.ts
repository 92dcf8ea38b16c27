import { Database } from '#database';
import { Alerts, openLog } from '#observe';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { LiveState } from './live-state';

let bench: ProjectionBench;
const alerts = new Alerts(openLog({ level: 'silent' }));

beforeAll(async () => {
  bench = await ProjectionBench.open();
});
afterAll(async () => {
  alerts.close();
  await bench.close();
});

it('keeps its last count while the log does not tell its ends, and is not taken for down', async () => {
  let isWhole = true;
  const log = { ends: () => (isWhole ? bench.log.ends() : Promise.reject(new Error('partition 3 has no leader'))) };
  const state = new LiveState({ reportedVersion: '8', alerts, filled: { log, db: bench.db } });
  await bench.submit('replace facts', 'a', { payload: factset('a', {}) });
  const up = { state: 'running', writeDatabaseUp: true, readDatabaseUp: true, queueDepth: 1 };
  expect(await state.look()).toEqual(up);
  isWhole = false;
  expect(await state.look()).toEqual(up);
});

it('is down where the database does not answer', async () => {
  const db = new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  const state = new LiveState({ reportedVersion: '8', alerts, filled: { log: bench.log, db } });
  expect(await state.look()).toMatchObject({ state: 'error', writeDatabaseUp: false });
  await db.close();
});
