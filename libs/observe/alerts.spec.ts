import { Alerts } from './alerts';
import { openLog } from './log';

const lines: { level: number; msg: string; code: string }[] = [];
const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line) as never) } });
let alerts: Alerts;

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  alerts = new Alerts(log);
});
afterEach(() => {
  alerts.close();
  jest.useRealTimers();
});

const down = { message: 'PostgreSQL does not answer.', effect: 'Queries are answered 503.', hint: 'Start it.' };

test('one line when it starts, one a minute while it lasts, one when it ends', () => {
  alerts.raise('database.unreachable', down);
  for (let second = 0; second < 150; second++) {
    jest.advanceTimersByTime(1_000);
    alerts.raise('database.unreachable', down);
  }
  alerts.clear('database.unreachable');
  alerts.clear('database.unreachable');
  jest.advanceTimersByTime(300_000);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'PostgreSQL does not answer. Queries are answered 503. Start it.',
    'Still, for 60 s: PostgreSQL does not answer. Queries are answered 503. Start it.',
    'Still, for 120 s: PostgreSQL does not answer. Queries are answered 503. Start it.',
    'Over: PostgreSQL does not answer.',
  ]);
});

test('what lasts is listed with its start; the newest text counts', () => {
  jest.setSystemTime(new Date('2026-01-01T00:00:00Z'));
  alerts.raise('clock.skew', { message: 'One.' });
  jest.advanceTimersByTime(5_000);
  alerts.raise('clock.skew', { message: 'Two.', severity: 'warning' });
  expect(alerts.active()).toEqual([
    { code: 'clock.skew', message: 'Two.', severity: 'warning', since: '2026-01-01T00:00:00.000Z' },
  ]);
  alerts.clear('clock.skew');
  expect(alerts.active()).toEqual([]);
});
