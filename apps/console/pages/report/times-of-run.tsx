import { Bars } from '../../parts/bars';
import { Card } from '../../parts/card';
import { Answered } from '../../parts/states';
import { counted, visible } from '../../parts/text';
import { durationText } from '../../parts/moments';
import type { Answer } from '../../service/use-answer';
import type { Metric } from '../../service/shapes';

const words: Readonly<Record<string, string>> = {
  config_retrieval: 'Catalog from the server',
  fact_generation: 'Facts',
  convert_catalog: 'Catalog to resources',
  transaction_evaluation: 'Order of resources',
  plugin_sync: 'Plugins',
  node_retrieval: 'Node definition',
};
/** Metrics that are sums of other metrics. */
const sums = new Set(['total', 'catalog_application']);

const nameOf = (name: string): string =>
  words[name] ??
  visible(
    name
      .split('::')
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('::'),
  );

export function TimesOfRun({ metrics, most }: { readonly metrics: Answer<readonly Metric[]>; readonly most: number }) {
  const times = (metrics.data ?? []).filter(({ category }) => category === 'time');
  const total = times.find(({ name }) => name === 'total')?.value;
  return (
    <Card title="Time" note={total === undefined ? undefined : durationText(total * 1000)}>
      <Answered answer={metrics} lines={4}>
        {() => {
          const parts = times.filter(({ name }) => !sums.has(name)).sort((one, other) => other.value - one.value);
          const shown = parts.slice(0, most);
          const others = parts.slice(most);
          const rest = others.reduce((sum, { value }) => sum + value, 0);
          return parts.length === 0 ? (
            <p class="in muted">The report has no times.</p>
          ) : (
            <div class="in">
              <Bars
                label="Seconds by kind of work"
                most={shown[0]?.value ?? 0}
                bars={[
                  ...shown.map(({ name, value }) => ({
                    key: name,
                    label: nameOf(name),
                    figure: value,
                    figureText: durationText(value * 1000),
                  })),
                  ...(others.length === 0
                    ? []
                    : [
                        {
                          key: '\0others',
                          label: counted(others.length, 'other type'),
                          figure: rest,
                          figureText: durationText(rest * 1000),
                          tone: 'line' as const,
                        },
                      ]),
                ]}
              />
            </div>
          );
        }}
      </Answered>
    </Card>
  );
}
