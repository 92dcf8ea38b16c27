import type { Attribute } from '#jolokia';
import type { LabelledMeter } from '#metrics';
import type { MetricFamily, Sample } from '#openmetrics';
import { attributesOf, type BeanKind, type BeanMeters } from './bean-kinds';

/** One line of the table of metrics: a family of OpenMetrics, a group of MBeans, or both. */
export interface Metric {
  /** One sentence. */
  readonly help: string;
  readonly family?: MetricFamily;
  readonly beans?: BeanGroup;
}

/** MBeans whose names differ in their labels. */
export interface BeanGroup {
  /** The domain and the name, such as `mq:{command}.{version}.seen`. Labels replace the braces, in their order. */
  readonly name: string;
  /** The name in the dialect `neutral`, if it differs. */
  readonly neutralName?: string;
  readonly kind: BeanKind;
  /** Returns the MBeans. New ones come last. */
  readonly members: () => readonly {
    readonly labels: readonly string[];
    readonly attributes: () => ReadonlyMap<string, Attribute>;
  }[];
}

interface MetricOptions<Meter> {
  readonly help: string;
  /** Name in OpenMetrics. It ends with the unit, if there is one. Without a name, the metric is no family of OpenMetrics. */
  readonly name?: string;
  readonly labels?: readonly string[];
  /** The name of the MBeans. Without it, the metric has none. */
  readonly bean?: string;
  readonly neutralBean?: string;
  /** Returns the meter that the MBean shows, if it is another one. */
  readonly shown?: (meter: Meter) => Meter;
  /** The counter may fall. */
  readonly falls?: boolean;
  readonly meters: () => readonly LabelledMeter<Meter>[];
}

type Histogram = {
  readonly bounds: readonly number[];
  readonly count: number;
  readonly sum: number;
  cumulative(): number[];
};

/** The meters of each kind. The value of a `counter` or `gauge` may be a promise, and null if it is unknown. */
export interface Meters extends BeanMeters {
  readonly histogram: BeanMeters['histogram'] & Histogram;
  readonly timer: BeanMeters['timer'] & Histogram;
}

const types = {
  counter: 'counter',
  gauge: 'gauge',
  meter: 'counter',
  histogram: 'histogram',
  timer: 'histogram',
} as const;

/** Makes a metric from meters of one kind. The kind sets the type in OpenMetrics and the attributes of the MBeans. */
export function metric<Kind extends BeanKind>(kind: Kind, options: MetricOptions<Meters[Kind]>): Metric {
  const { help, name, labels, bean, neutralBean, shown = (meter) => meter, falls = false, meters } = options;
  const type = falls ? 'gauge' : types[kind];
  return {
    help,
    ...(name !== undefined && {
      family: family(name, type, help, labels, async () => {
        const samples: Sample[] = [];
        for (const found of meters())
          samples.push(...(await samplesOf(kind, found, unitOf(name) === 'seconds' ? 0.001 : 1)));
        return samples;
      }),
    }),
    ...(bean !== undefined && {
      beans: {
        name: bean,
        ...(neutralBean !== undefined && { neutralName: neutralBean }),
        kind,
        members: () =>
          meters().map(({ labels: values, meter }) => ({
            labels: values,
            attributes: () => attributesOf(kind, shown(meter)),
          })),
      },
    }),
  };
}

/** Makes a metric without MBeans from samples. */
export const sampled = (
  name: string,
  type: MetricFamily['type'],
  help: string,
  labels: readonly string[],
  samples: MetricFamily['samples'],
): Metric => ({ help, family: family(name, type, help, labels, samples) });

export const only = <Meter>(meter: Meter): (() => readonly LabelledMeter<Meter>[]) => {
  const meters = [{ labels: [], meter }];
  return () => meters;
};

/** Returns the sample of a histogram. `scale` converts a value of the meter to the unit of the family. */
export const histogramSample = (labels: readonly string[], meter: Histogram, scale: number): Sample => {
  const counts = meter.cumulative();
  const buckets = meter.bounds.map((bound, at) => ({
    bound: Number((bound * scale).toPrecision(6)),
    count: counts[at] ?? 0,
  }));
  return { labels, buckets, count: meter.count, sum: meter.sum * scale };
};

const unitOf = (name: string): MetricFamily['unit'] =>
  (['seconds', 'bytes'] as const).find((unit) => name.endsWith(unit));

function family(
  name: string,
  type: MetricFamily['type'],
  help: string,
  labels: readonly string[] | undefined,
  samples: MetricFamily['samples'],
): MetricFamily {
  const unit = unitOf(name);
  return { name, type, help, ...(unit && { unit }), ...(labels && { labels }), samples };
}

async function samplesOf(
  kind: BeanKind,
  { labels, meter }: LabelledMeter<Meters[BeanKind]>,
  scale: number,
): Promise<Sample[]> {
  if (kind === 'timer' || kind === 'histogram') return [histogramSample(labels, meter as Histogram, scale)];
  const value = await (typeof meter === 'function' ? meter() : meter.count);
  return typeof value === 'number' ? [{ labels, value }] : [];
}
