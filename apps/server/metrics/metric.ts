import type { Attribute } from '#jolokia';
import type { LabelledMeter } from '#metrics';
import type { MetricFamily, Sample } from '#openmetrics';
import { attributesOf, type BeanKind, type BeanMeters } from './bean-kinds';

export interface Metric {
  readonly help: string;
  readonly family?: MetricFamily;
  readonly beans?: BeanGroup;
}

/** MBeans of one kind whose names differ only in the labels. */
export interface BeanGroup {
  /**
   * Domain and name, such as `mq:{command}.{version}.seen`. The values of the labels replace the parts in braces, in
   * the order of the metric's labels.
   */
  readonly name: string;
  /** Name in the dialect `neutral`, if it differs from `name`. */
  readonly neutralName?: string;
  readonly kind: BeanKind;
  /** New MBeans are always at the end of the list. */
  readonly members: () => readonly {
    readonly labels: readonly string[];
    readonly attributes: () => ReadonlyMap<string, Attribute>;
  }[];
}

interface MetricNames {
  /**
   * Name in OpenMetrics, without the prefix `nodeledger_`. The name ends with the unit of the value, if there is one.
   */
  readonly name?: string | undefined;
  readonly labels?: readonly string[];
  readonly bean?: string;
  readonly neutralBean?: string;
}

type Histogram = {
  readonly bounds: readonly number[];
  readonly count: number;
  readonly sum: number;
  cumulative(): number[];
};

/** The value of a counter or gauge may be a promise, and is null if it is unknown. */
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

async function samplesOf(kind: BeanKind, { labels, meter }: LabelledMeter<Meters[BeanKind]>): Promise<Sample[]> {
  if (kind === 'timer') return [histogramSample(labels, meter as Histogram)];
  if (kind === 'histogram') return [histogramSample(labels, meter as Histogram, 1)];
  const value = await (typeof meter === 'function' ? meter() : meter.count);
  return typeof value === 'number' ? [{ labels, value }] : [];
}
