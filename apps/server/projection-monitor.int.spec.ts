import { Alerts, openLog } from '#observe';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { projectionMonitor } from './projection-monitor';
import type { RepeatedTask } from './repeated-task';
import { stays, until } from '../../test/support/until';

const log = openLog({ level: 'silent' });
let bench: ProjectionBench;
let alerts: Alerts;
let watch: RepeatedTask;
let isDown: boolean;

beforeEach(async () => {
  bench = await ProjectionBench.open();
  alerts = new Alerts(log);
  isDown = false;
  const outages = {
    get isDown() {
      return isDown;
    },
    report: () => undefined,
  };
  watch = projectionMonitor({ log: bench.log, db: bench.db, alerts, outages, everyMs: 20, patienceMs: 300 });
  watch.start();
});
afterEach(async () => {
  await watch.stop();
  alerts.close();
  await bench.close();
});

const submit = (certname: string): Promise<unknown> =>
  bench.submit('replace facts', certname, { payload: factset(certname, {}) });
async function untilAlerts(count: number): Promise<void> {
  await until(() => alerts.active().length === count);
}

it('tells when commands wait and none is applied, until one is', async () => {
  await stays(() => alerts.active().length === 0, { forMs: 600, what: 'no alert' });
  await submit('a');
  await submit('b');
  await untilAlerts(1);
  expect(alerts.active()).toMatchObject([
    { code: 'projector.stalled', message: expect.stringMatching(/^2 commands wait in the log, and none has been/) },
  ]);
  await bench.settle();
  await untilAlerts(0);
});

it.each([
  ['PostgreSQL or the log is down', () => (isDown = true)],
  ['the projector has ended', () => alerts.raise('projector.ended', { message: 'It has ended.' })],
])('says nothing besides while %s', async (_, begin) => {
  begin();
  await submit('a');
  const isStalled = (): boolean => alerts.active().some(({ code }) => code === 'projector.stalled');
  await stays(() => !isStalled(), { forMs: 1_000, what: 'no alert of a stalled projector' });
});
