/** Random steps with few nodes, times and contents, so that many steps affect the same rows. */
import fc from 'fast-check';
import type { BaseStep } from './base-steps';
import type { HistoryStep } from '../history/history-runner';
import type { CommandStep, Document, LimitsStep, ScheduleStep } from './steps';

const node = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: 0, max: 4 });
const maybeAt = fc.option(at, { freq: 6 });
const zone = fc.constantFrom('utc', 'utc', 'offset', 'epoch');
const environment = fc.constantFrom('production', 'test', null);

const values = fc.record(
  {
    os: fc.constantFrom<Document[string]>('debian', 'rocky', { name: 'debian', release: { major: 12 } }, {}),
    mem: fc.constantFrom(1, 2, 1.5),
    disks: fc.constantFrom<Document[string]>([], ['sda'], ['sda', { size: 7 }], [[null, true]]),
    up: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const packageLine = fc.constantFrom(
  ['vim', '9', 'apt'],
  ['vim', '9.1', 'apt'],
  ['ssl', '3', 'apt'],
  ['vim', '9', 'gem'],
);

const facts = (when: fc.Arbitrary<number>): fc.Arbitrary<CommandStep> =>
  fc
    .record({
      do: fc.constant('facts' as const),
      node,
      at: when,
      zone,
      environment,
      values,
      packages: fc.option(fc.array(packageLine, { maxLength: 3 }), { nil: undefined }),
    })
    .map(({ packages, ...rest }) => ({ ...rest, ...(packages === undefined ? {} : { packages }) }));

const file = fc.record({
  title: fc.constantFrom('/a', '/b', '/c'),
  line: fc.constantFrom(1, 2, null),
  ensure: fc.constantFrom('file', 'absent'),
});
const files = fc.uniqueArray(file, { maxLength: 3, selector: ({ title }) => title });
// Often equal, so that many catalogs are unchanged.
const oneFile = [{ title: '/a', line: 1, ensure: 'file' }];
const twoFiles = [...oneFile, { title: '/b', line: 2, ensure: 'file' }];
const catalog = (when: fc.Arbitrary<number>): fc.Arbitrary<CommandStep> =>
  fc.record({
    do: fc.constant('catalog' as const),
    node,
    at: when,
    zone,
    environment,
    version: fc.constantFrom('1', '2'),
    code: fc.constantFrom('one', 'one', 'two'),
    files: fc.oneof(files, fc.constantFrom(oneFile, twoFiles)),
    edges: fc.oneof(fc.uniqueArray(fc.constantFrom('ab', 'bc', 'ca'), { maxLength: 3 }), fc.constant(['ab'])),
  });

const eventStep = fc.record({
  property: fc.constantFrom('mode', 'ensure', null),
  status: fc.constantFrom('success', 'failure', 'noop', 'skipped', 'audit'),
  corrective: fc.constantFrom(true, false, null),
});
const status = fc.record({
  title: fc.constantFrom('/a', '/b'),
  skipped: fc.boolean(),
  path: fc.constantFrom(['Stage[main]', 'Ntp', 'File[/a]'], ['Stage[main]'], ['Ntp', 'Web'], null),
  events: fc.uniqueArray(eventStep, { maxLength: 3, selector: (one) => `${one.property} ${one.status}` }),
});
const report = (
  when: fc.Arbitrary<number>,
  types: readonly ('agent' | 'plan' | undefined)[],
): fc.Arbitrary<CommandStep> =>
  fc
    .record({
      do: fc.constant('report' as const),
      node,
      at: when,
      version: fc.constantFrom('1', '2'),
      type: fc.constantFrom(...types),
      environment: fc.constantFrom('production', 'test'),
      status: fc.constantFrom('changed', 'failed', 'unchanged', 'unchanged', null),
      statuses: fc.uniqueArray(status, { maxLength: 2, selector: ({ title }) => title }),
    })
    .map(({ type, ...rest }) => ({ ...rest, ...(type === undefined ? {} : { type }) }));

const deactivate = (when: fc.Arbitrary<number | null>): fc.Arbitrary<CommandStep> =>
  fc.record({ do: fc.constant('deactivate' as const), node, at: when, zone });

const expire = fc.record({ do: fc.constant('expire' as const), node, at, before: at });

const command: fc.Arbitrary<CommandStep> = fc.oneof(
  { weight: 5, arbitrary: facts(at) },
  { weight: 5, arbitrary: catalog(at) },
  { weight: 5, arbitrary: report(at, ['agent', undefined, 'plan']) },
  { weight: 3, arbitrary: deactivate(maybeAt) },
  { weight: 3, arbitrary: expire },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('expiration' as const), node, at: maybeAt, facts: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('inputs' as const),
      node,
      at: maybeAt,
      inputs: fc.array(fc.constantFrom(['hiera', 'one'], ['hiera', 'two'], ['file', 'one']), { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('poison' as const),
      node,
      at,
      how: fc.constantFrom('not-json', 'other-certname', 'future', 'edge-to-nowhere', 'twice', 'bad-time', 'too-long'),
    }),
  },
);

const batch = fc.constantFrom(1, 2, 3, 7, 200);
const afterMs = fc.integer({ min: 0, max: 15 });

const limits: fc.Arbitrary<LimitsStep> = fc.record({
  do: fc.constant('limits' as const),
  at,
  expire: fc.option(at),
  purge: fc.option(at, { freq: 2 }),
  reports: fc.option(at),
  events: fc.option(at),
});

/** Commands in log order, and failures of the projectors between them. */
export const schedule: fc.Arbitrary<ScheduleStep[]> = fc.array(
  fc.oneof(
    { weight: 16, arbitrary: command },
    { weight: 2, arbitrary: limits },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('settle' as const), projectors: fc.constantFrom(1, 2), batch }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), afterMs, batch }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), afterMs, batch }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);

const untimed: fc.Arbitrary<CommandStep> = fc.oneof(
  { weight: 2, arbitrary: facts(fc.constant(0)) },
  { weight: 2, arbitrary: catalog(fc.constant(0)) },
  { weight: 2, arbitrary: report(fc.constant(0), ['agent', undefined]) },
  { weight: 2, arbitrary: deactivate(fc.constant(0)) },
);

const maintenance: fc.Arbitrary<BaseStep> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), node, before: at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('purge reports' as const), node, before: at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), node }) },
);
const cut = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 2 });

const againStep: fc.Arbitrary<BaseStep> = fc.record({
  do: fc.constant('again' as const),
  which: fc.nat(100),
  retry: fc.boolean(),
});
const anyOf = (commands: fc.Arbitrary<CommandStep>, maxLength: number): fc.Arbitrary<BaseStep[]> =>
  fc.array(
    fc.oneof(
      { weight: 12, arbitrary: commands },
      { weight: 5, arbitrary: maintenance },
      { weight: 3, arbitrary: limits },
      { weight: 2, arbitrary: againStep },
    ),
    { minLength: 1, maxLength, size: 'max' },
  );
// Nodes with few documents, so that maintenance often removes all of them.
const poor = fc.oneof(
  { weight: 3, arbitrary: report(at, ['agent', 'plan']) },
  { weight: 1, arbitrary: deactivate(maybeAt) },
  { weight: 1, arbitrary: expire },
);

/** The content of the log, and the ends of successive bases in both partitions (in percent of the rest). */
export const schedulesWithBases: fc.Arbitrary<{ steps: BaseStep[]; cuts: number[][]; batch: number }> = fc.record({
  steps: fc.oneof({ weight: 2, arbitrary: anyOf(command, 40) }, { weight: 1, arbitrary: anyOf(poor, 15) }),
  cuts: fc.array(cut, { minLength: 2, maxLength: 2 }),
  batch,
});

const noLimits = { at: 0, expire: null, purge: null, reports: null, events: null };

const withSettings = (steps: HistoryStep[], change: number | null): HistoryStep[] =>
  change === null
    ? steps
    : [
        { do: 'set', mostBytes: 400, blocked: ['mem'] },
        ...steps.slice(0, change),
        { do: 'set', mostBytes: 20_000_000, blocked: ['disks'] },
        // Retries of commands of which the first settings may have rejected some.
        ...steps.slice(0, change).map((_, which): HistoryStep => ({ do: 'again', which, retry: true })),
        ...steps.slice(change),
      ];

/** What the log holds and what projectors do meanwhile, and the moments to ask about (percent of the time). */
export const schedulesWithPast: fc.Arbitrary<{ steps: HistoryStep[]; batch: number; moments: number[] }> = fc
  .record({
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: command.map((step): HistoryStep[] => [step]) },
        { weight: 6, arbitrary: anyOf(command, 2) },
        {
          weight: 2,
          arbitrary: fc
            .record({ do: fc.constant('settle' as const), projectors: fc.constantFrom(1, 2), batch })
            .map((step): HistoryStep[] => [step]),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom<HistoryStep[]>(
            [{ do: 'collect' }],
            [{ do: 'rebuild' }],
            // A record in each partition, because a rebuild needs a tail.
            [{ do: 'snapshot' }, { do: 'limits', ...noLimits }, { do: 'rebuild' }],
            [{ do: 'limits', ...noLimits, history: 3 }, { do: 'collect' }],
          ),
        },
      ),
      { minLength: 20, maxLength: 45, size: 'max' },
    ),
    batch,
    keepsReports: fc.boolean(),
    // Some schedules begin with settings that reject documents and drop facts, and change them on the way.
    sets: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 2 }),
    moments: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 20, maxLength: 20 }),
  })
  .map(({ steps, keepsReports, sets, ...rest }) => ({
    ...rest,
    steps: withSettings(steps.flat(), sets).flatMap((step): HistoryStep[] => {
      if (!keepsReports) return [step];
      if (step.do === 'limits') return [{ ...step, reports: null, events: null, purge: null }];
      return step.do === 'purge' || step.do === 'purge reports' ? [] : [step];
    }),
  }));

/** Commands with different times, and the same commands in another order. */
export const twoOrders: fc.Arbitrary<{ one: CommandStep[]; other: CommandStep[] }> = fc
  .array(untimed, { minLength: 2, maxLength: 12, size: 'max' })
  .map((steps) => steps.map((step, index) => ({ ...step, at: index })))
  .chain((one) =>
    fc.record({ one: fc.shuffledSubarray(one, { minLength: one.length }), other: fc.constant<CommandStep[]>(one) }),
  );
