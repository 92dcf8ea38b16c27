import { Alerts } from './alerts';
import { openLog } from './log';
import { Outage, type OutageOptions } from './outage';

const lines: string[] = [];
const log = openLog({
  level: 'info',
  destination: { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
});
let alerts: Alerts;
let outage: Outage;
/** The error that the probe finds, if any. `probes` is the number of probes. */
let trouble: Error | undefined;
let probes: number;

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  trouble = undefined;
  probes = 0;
  alerts = new Alerts(log);
});
afterEach(async () => {
  await outage.close();
  alerts.close();
  jest.useRealTimers();
});

function watch(options: Partial<OutageOptions> = {}): void {
  outage = new Outage({
    alerts,
    code: 'database.unreachable',
    probe: async () => {
      probes += 1;
      if (trouble !== undefined) throw trouble;
    },
    describe: (error) => ({ message: `PostgreSQL is away: ${(error as Error).message}.` }),
    ...options,
  });
}
const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1_000);
const away = 'PostgreSQL is away: refused.';

test('an outage that many meet for minutes is one alert: a line at its start, one a minute, one at its end', async () => {
  watch();
  trouble = new Error('refused');
  for (let tenth = 0; tenth < 1_300; tenth++) {
    for (let caller = 0; caller < 20; caller++) outage.suspect(new Error(`met by ${caller}`));
    await seconds(0.1);
  }
  expect(alerts.active()).toMatchObject([{ code: 'database.unreachable', message: away }]);
  expect(outage.alert).toEqual(alerts.active()[0]);
  // The component is probed every two seconds, however many callers report trouble.
  expect(probes).toBeLessThan(70);
  trouble = undefined;
  await seconds(2);
  expect(alerts.active()).toEqual([]);
  expect(outage.alert).toBeUndefined();
  await seconds(300);
  expect(lines).toEqual([away, `Still, for 60 s: ${away}`, `Still, for 120 s: ${away}`, `Over: ${away}`]);
  const after = probes;
  await seconds(300);
  expect(probes).toBe(after);
});

test('what somebody met is no outage where the probe finds nothing', async () => {
  watch();
  for (let times = 0; times < 100; times++) outage.suspect(new Error('one connection broke'));
  await seconds(10);
  expect(lines).toEqual([]);
  expect(probes).toBe(1);
});

test('a probe that fails once only, over a connection that had broken, is no outage', async () => {
  let failures = 1;
  watch({ probe: async () => (failures-- > 0 ? Promise.reject(new Error('broken')) : undefined), always: true });
  await seconds(10);
  expect(lines).toEqual([]);
});

test('with `always`, trouble that nobody meets is found as well', async () => {
  watch({ always: true });
  await seconds(10);
  trouble = new Error('refused');
  await seconds(3);
  trouble = undefined;
  await seconds(3);
  expect(lines).toEqual([away, `Over: ${away}`]);
});

test('trouble that begins while the probe is under way is looked at again', async () => {
  let answer: () => void = () => undefined;
  watch({
    probe: () => {
      probes += 1;
      if (trouble !== undefined) return Promise.reject(trouble);
      return new Promise<void>((resolve) => (answer = resolve));
    },
  });
  outage.suspect(new Error('one'));
  await seconds(1);
  expect(probes).toBe(1);
  trouble = new Error('refused');
  outage.suspect(new Error('two'));
  answer();
  await seconds(1);
  expect(lines).toEqual([away]);
});

test('with `quietMs`, a reported error is believed, and the alert lasts until none was reported for that time', async () => {
  watch({ quietMs: 15_000 });
  for (let times = 0; times < 5; times++) {
    outage.suspect(new Error('disk full'));
    await seconds(10);
  }
  expect(lines).toEqual(['PostgreSQL is away: disk full.']);
  trouble = new Error('still full');
  await seconds(30);
  expect(alerts.active()).toMatchObject([{ message: 'PostgreSQL is away: still full.' }]);
  trouble = undefined;
  await seconds(3);
  expect(lines.at(-1)).toBe('Over: PostgreSQL is away: still full.');
});

test('one that is closed asks nothing and says nothing any more', async () => {
  watch({ always: true });
  await outage.close();
  trouble = new Error('refused');
  outage.suspect(trouble);
  await seconds(10);
  expect([probes, lines]).toEqual([0, []]);
});
