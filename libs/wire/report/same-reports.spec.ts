import { isDeepStrictEqual } from 'node:util';
import { isFault } from '#fault';
import { Fleet } from '#fleet';
import { defaultLimits, type Limits } from '#limits';
import { event, report } from '../../../test/support/documents';
import { mutated, seeded } from '../../../test/support/mutations';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { JsonScan } from '../json/scan';
import { readAnyLogs, readLogs } from './logs';
import { parsedLogs } from './parsed-logs';
import { parsedStatuses } from './parsed-statuses';
import { readAnyStatuses } from './read-statuses';
import { readReport, reportV8, statusShapesV8, type ReportField } from './v8';

const outcome = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
};
const opened = (text: string, limits: Limits = defaultLimits): Members<ReportField> => {
  const members = new Members(new JsonScan(text, limits), reportV8.shape, new Problems('store report 8'));
  members.open(0);
  return members;
};
const logsOf = (text: string, limits: Limits, read: (members: Members<ReportField>) => string): unknown =>
  outcome(() => {
    const members = opened(text, limits);
    const logs = read(members);
    members.problems.throwIfAny();
    return logs;
  });
const careful = {
  ...reportV8,
  statuses: (members: Members<ReportField>) => ({ list: readAnyStatuses(members, statusShapesV8) }),
};

/**
 * Returns the results of the usual reader for the whole report and for its logs. The usual reader tries the fast reader
 * first.
 */
const usually = (text: string, limits: Limits = defaultLimits): unknown => [
  outcome(() => readReport(text, reportV8, limits)),
  logsOf(text, limits, readLogs),
];
const carefully = (text: string, limits: Limits = defaultLimits): unknown => [
  outcome(() => readReport(text, careful, limits)),
  logsOf(text, limits, readAnyLogs),
];

const log = {
  file: '/site.pp',
  line: 3,
  level: 'notice',
  message: 'a "quoted"\n/line/ \u00fc',
  source: 'Puppet',
  tags: ['notice', 'a'],
  time: '2026-01-01T00:00:01.5+01:00',
};
const logs = { logs: [log, { ...log, file: null, line: null, tags: null }] };
/** All values have the form that JSON.stringify writes. */
const keyless = [
  event('ensure'),
  event('mode', { old_value: null, new_value: 12 }),
  event('members', { old_value: [], new_value: ['b', 'a', 1, null, true] }),
];
const withKeys = event('ensure', {
  name: undefined,
  new_value: { b: ['x', { 10: 1, 9: null, __proto__: 1 }], a: [] },
});
const small = report('a.test', [...keyless, withKeys], logs);

describe('the two readers of reports', () => {
  it('agree about the reports of a fleet', () => {
    const startTime = new Date('2031-02-03T04:00:00Z');
    for (const [layout, node, run] of [
      ['pretty', 0, 0],
      ['compact', 1, 0],
      ['pretty', 0, 1],
    ] as const) {
      const { text } = new Fleet('same', layout).run(node, run, { startTime }).report;
      expect(parsedStatuses(opened(text), statusShapesV8)).toBeDefined();
      expect(parsedLogs(opened(text), Object.keys(log))).toBeDefined();
      expect(isDeepStrictEqual(usually(text), carefully(text))).toBe(true);
    }
  });

  it('agree about thousands of reports with mistakes', () => {
    const next = seeded(11);
    const texts = [small, report('a.test', keyless, logs)].flatMap((one) => [
      JSON.stringify(one),
      JSON.stringify(one, undefined, 1),
    ]);
    let good = 0;
    for (let index = 0; index < 4_000; index++) {
      const text = mutated(texts[index % texts.length] as string, next);
      const [expected, found] = [carefully(text), usually(text)];
      if (!isDeepStrictEqual(found, expected)) expect({ text, found }).toEqual({ text, found: expected });
      if ((expected as { kind?: string }[])[0]!.kind === 'report') good++;
    }
    expect(good).toBeGreaterThan(300);
    expect(good).toBeLessThan(3_700);
  });

  it('agree about what each limit admits', () => {
    const text = JSON.stringify({ ...small, resources: [...(small.resources as []), ...(small.resources as [])] });
    for (const [name, most] of [
      ['events', 8],
      ['eventCharacters', 200],
      ['resources', 4],
      ['logs', 4],
    ] as const) {
      for (let value = 0; value <= most; value++) {
        const limits = { ...defaultLimits, [name]: value };
        expect(usually(text, limits)).toEqual(carefully(text, limits));
      }
    }
  });
});
