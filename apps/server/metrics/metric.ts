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

/** Where clients find a metric. */
interface MetricNames {
  /** Name in OpenMetrics, without the prefix `nodeledger_`. It ends with the unit, if there is one. */
  readonly name?: string | undefined;
  readonly labels?: readonly string[];
  /** The name of the MBeans. */
  readonly bean?: string;
  readonly neutralBean?: string;
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
export function metric<Kind extends BeanKind>(
  kind: Kind,
  { name, labels, bean, neutralBean }: MetricNames,
  help: string,
  meters: () => readonly LabelledMeter<Meters[Kind]>[],
): Metric {
  const samples = async (): Promise<Sample[]> =>
    (await Promise.all(meters().map((found) => samplesOf(kind, found)))).flat();
  return {
    help,
    ...(name !== undefined && { family: family(`nodeledger_${name}`, types[kind], help, labels, samples) }),
    ...(bean !== undefined && {
      beans: {
        name: bean,
        ...(neutralBean !== undefined && { neutralName: neutralBean }),
        kind,
        members: () =>
          meters().map(({ labels: values, meter }) => ({
            labels: values,
            attributes: () => attributesOf(kind, meter),
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

const milli = 0.001;

/** Returns the sample of a histogram. `scale` converts a value of the meter to the unit of the family. */
export const histogramSample = (labels: readonly string[], meter: Histogram, scale = milli): Sample => {
  const counts = meter.cumulative();
  const buckets = meter.bounds.map((bound, at) => ({
    bound: Number((bound * scale).toPrecision(6)),
    count: counts[at] ?? 0,
  }));
  return { labels, buckets, count: meter.count, sum: meter.sum * scale };
};

function family(
  name: string,
  type: MetricFamily['type'],
  help: string,
  labels: readonly string[] | undefined,
  samples: MetricFamily['samples'],
): MetricFamily {
  const unit = (['seconds', 'bytes'] as const).find((one) => name.endsWith(one));
  return { name, type, help, ...(unit && { unit }), ...(labels && { labels }), samples };
}

/** Timers measure milliseconds. */
async function samplesOf(kind: BeanKind, { labels, meter }: LabelledMeter<Meters[BeanKind]>): Promise<Sample[]> {
  if (kind === 'timer') return [histogramSample(labels, meter as Histogram)];
  if (kind === 'histogram') return [histogramSample(labels, meter as Histogram, 1)];
  const value = await (typeof meter === 'function' ? meter() : meter.count);
  return typeof value === 'number' ? [{ labels, value }] : [];
}
