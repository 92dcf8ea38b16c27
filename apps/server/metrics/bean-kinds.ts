import type { Attribute, JsonValue } from '#jolokia';
import { percentages, type RateValues, type Statistics } from '#metrics';

export interface BeanMeters {
  /** `count` is null if the database does not answer, or if this process does not read the log. */
  readonly counter: { readonly count: number | Promise<number | null> };
  readonly gauge: () => JsonValue | Promise<JsonValue>;
  readonly meter: { readonly count: number; values(): RateValues };
  readonly histogram: { readonly count: number; statistics(): Statistics };
  readonly timer: { readonly count: number; statistics(): Statistics; rates(): RateValues };
}
export type BeanKind = keyof BeanMeters;

type Reader<Meter> = readonly [type: string, read: (meter: Meter) => JsonValue | Promise<JsonValue>];
type Readers<Meter> = Readonly<Record<string, Reader<Meter>>>;

const count = ['long', ({ count }: { readonly count: number | Promise<number | null> }) => count] as const;

const rates = <Meter>(of: (meter: Meter) => RateValues): Readers<Meter> => ({
  RateUnit: ['java.lang.String', () => 'events/second'],
  MeanRate: ['double', (meter) => of(meter).mean],
  OneMinuteRate: ['double', (meter) => of(meter).oneMinute],
  FiveMinuteRate: ['double', (meter) => of(meter).fiveMinutes],
  FifteenMinuteRate: ['double', (meter) => of(meter).fifteenMinutes],
});

type HasStatistics = { statistics(): Statistics };
const statistics = (type: 'long' | 'double'): Readers<HasStatistics> => ({
  Min: [type, (meter) => meter.statistics().min],
  Max: [type, (meter) => meter.statistics().max],
  Mean: ['double', (meter) => meter.statistics().mean],
  StdDev: ['double', (meter) => meter.statistics().standardDeviation],
  ...Object.fromEntries(
    percentages.map((percentage, at) => [
      `${String(percentage).replace('.', '')}thPercentile`,
      ['double', (meter: HasStatistics) => meter.statistics().percentiles[at] ?? 0] as const,
    ]),
  ),
});

interface KindEntry<Meter> {
  readonly className: string;
  readonly attributes: Readers<Meter>;
}

/** PuppetDB uses the same names and types. */
export const beanKinds: { readonly [Kind in BeanKind]: KindEntry<BeanMeters[Kind]> } = {
  counter: { className: 'com.codahale.metrics.JmxReporter$JmxCounter', attributes: { Count: count } },
  gauge: {
    className: 'com.codahale.metrics.JmxReporter$JmxGauge',
    attributes: { Value: ['java.lang.Object', (read) => read()] },
  },
  meter: {
    className: 'com.codahale.metrics.JmxReporter$JmxMeter',
    attributes: { Count: count, ...rates((meter: BeanMeters['meter']) => meter.values()) },
  },
  histogram: {
    className: 'com.codahale.metrics.JmxReporter$JmxHistogram',
    attributes: { Count: count, SnapshotSize: ['long', (meter) => meter.statistics().count], ...statistics('long') },
  },
  timer: {
    className: 'com.codahale.metrics.JmxReporter$JmxTimer',
    attributes: {
      Count: count,
      DurationUnit: ['java.lang.String', () => 'milliseconds'],
      ...rates((meter: BeanMeters['timer']) => meter.rates()),
      ...statistics('double'),
    },
  },
};

const description = 'Attribute exposed for management';

export function attributesOf<Kind extends BeanKind>(
  kind: Kind,
  meter: BeanMeters[Kind],
): ReadonlyMap<string, Attribute> {
  const { attributes } = beanKinds[kind] as KindEntry<BeanMeters[Kind]>;
  return new Map(
    Object.entries(attributes).map(([name, [type, read]]) => [name, { type, description, read: () => read(meter) }]),
  );
}
