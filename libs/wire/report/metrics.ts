import type { JsonText } from '../documents';
import { readObjects } from '../check/elements';
import type { Members } from '../check/members';
import { shape } from '../check/shape';
import { spellNumberPlain } from '../json/numbers';
import { plainStyle, rewrite } from '../json/rewrite';

type MetricField = 'category' | 'name' | 'value';
export const metricShape = shape<MetricField>(['category', 'name', 'value']);

/** Returns the metrics in the form of answers, with the order and the number format of jsonb. Null stays null. */
export function readMetrics<K extends string>(report: Members<K | 'metrics'>): JsonText {
  if (!report.isArray('metrics', { nullable: true })) return 'null';
  const { scan, problems } = report;
  const metrics: string[] = [];
  const readMetric = (members: Members<MetricField>): void => {
    const written = (name: 'category' | 'name'): string =>
      members.traits(name) === 0 ? members.raw(name) : rewrite(scan.text, members.start(name), plainStyle);
    for (const name of ['category', 'name'] as const)
      if (members.has(name) && members.kind(name) !== 'string') members.wrong(name, 'a string');
    if (members.has('value') && members.kind('value') !== 'number') members.wrong('value', 'a number');
    if (!problems.any)
      metrics.push(
        `{"name":${written('name')},"value":${spellNumberPlain(members.raw('value'))},"category":${written('category')}}`,
      );
  };
  readObjects(report, 'metrics', metricShape, readMetric, 'metrics');
  return `[${metrics.join(',')}]`;
}
