import { Database } from '#database';
import { Alerts, openLog } from '#observe';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { LiveState } from './live-state';
import type { Component } from './components';

let bench: ProjectionBench;
const alerts = new Alerts(openLog({ level: 'silent' }));

const about = (...components: Component[]) => ({
  reportedVersion: '8',
  product: 'nodeledger',
  components: new Set(components),
  alerts,
});

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
  const state = new LiveState({ ...about('write'), filled: { log, db: bench.db } });
  await bench.submit('replace facts', 'a', { payload: factset('a', {}) });
  const up = {
    state: 'running',
    writeDatabaseUp: true,
    readDatabaseUp: true,
    queueDepth: 1,
    components: { write: true },
  };
  expect(await state.look()).toEqual(up);
  isWhole = false;
  expect(await state.look()).toEqual(up);
});

it('is down where the database does not answer', async () => {
  const db = new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  const state = new LiveState({ ...about('write', 'read'), filled: { log: bench.log, db } });
  const components = { write: false, read: false };
  expect(await state.look()).toMatchObject({ state: 'error', writeDatabaseUp: false, components });
  await db.close();
});

it('asks the database once for all who ask at the same time', async () => {
  let requests = 0;
  const log = { ends: () => (requests++, bench.log.ends()) };
  const state = new LiveState({ ...about('write'), filled: { log, db: bench.db } });
  await Promise.all(Array.from({ length: 50 }, () => state.look()));
  expect(requests).toBe(1);
  await state.look();
  expect(requests).toBe(2);
});

it('tells of each component by itself: the projector rests, commands are accepted without the database', async () => {
  const db = new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  let up = true;
  const parts = { acceptsCommands: () => true, projects: () => up };
  const withDatabase = new LiveState({
    ...about('write', 'project'),
    ...parts,
    filled: { log: bench.log, db: bench.db },
  });
  expect((await withDatabase.look()).components).toEqual({ write: true, project: true });
  up = false;
  expect((await withDatabase.look()).components).toEqual({ write: true, project: false });
  up = true;
  const without = new LiveState({ ...about('write', 'project'), ...parts, filled: { log: bench.log, db } });
  expect((await without.look()).components).toEqual({ write: true, project: false });
  await db.close();
});

it('is not ready from the beginning of a stop on, but ends no connection yet', async () => {
  const state = new LiveState({ ...about('write'), filled: { log: bench.log, db: bench.db } });
  state.drain();
  expect([state.draining, state.stopping, (await state.look()).state]).toEqual([true, false, 'stopping']);
  state.stop();
  expect([state.draining, state.stopping]).toEqual([true, true]);
});
