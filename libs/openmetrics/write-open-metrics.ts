import type { MetricFamily, Sample } from './metric-family';

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Writes the text format OpenMetrics 1.0. Omits families without samples. */
export async function writeOpenMetrics(families: Iterable<MetricFamily>): Promise<string> {
  const parts: string[] = [];
  for (const family of families) {
    const samples = [...(await family.samples())];
    if (samples.length === 0) continue;
    parts.push(`# TYPE ${family.name} ${family.type}\n`);
    if (family.unit !== undefined) parts.push(`# UNIT ${family.name} ${family.unit}\n`);
    parts.push(`# HELP ${family.name} ${escapeText(family.help)}\n`);
    for (const sample of samples) writeSample(parts, family, sample);
  }
  parts.push('# EOF\n');
  return parts.join('');
}

const suffixes = { counter: '_total', gauge: '', info: '_info' } as const;

function writeSample(parts: string[], { name, type, labels = [] }: MetricFamily, sample: Sample): void {
  const pairs = labels.map((label, at) => `${label}="${escapeText(sample.labels?.[at] ?? '')}"`);
  const line = (suffix: string, value: number, more: readonly string[] = []): void => {
    const all = [...pairs, ...more];
    parts.push(`${name}${suffix}${all.length === 0 ? '' : `{${all.join(',')}}`} ${numberText(value)}\n`);
  };
  if ('value' in sample) {
    if (type === 'histogram') throw new Error(`${name} is a histogram: its samples must have buckets`);
    line(suffixes[type], sample.value);
    return;
  }
  for (const { bound, count } of sample.buckets) line('_bucket', count, [`le="${numberText(bound)}"`]);
  line('_bucket', sample.count, ['le="+Inf"']);
  line('_count', sample.count);
  line('_sum', sample.sum);
}

const escapeText = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

/**
 * Adds a decimal point to a whole number, because programs that read the metrics compare the bounds of buckets as text.
 */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(1) : String(value);
}
