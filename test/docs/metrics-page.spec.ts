/** Tests that the tables of docs/monitoring.md equal those of the program. NODELEDGER_WRITE_PAGES=1 writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleaningSteps } from '#admin';
import { batchSteps } from '#projections';
import { familiesOf, metricTable } from '../../apps/server/metrics/metric-table';
import { referenceDifferences } from '../metrics/reference-differences';
import { markdownTable } from './markdown-table';
import { metricParts } from './metric-parts';

const file = join(__dirname, '../../docs/monitoring.md');
const code = (text: string): string => `\`${text}\``;
const stepTable = (steps: Readonly<Record<string, string>>): string =>
  markdownTable(
    ['step', 'work'],
    Object.entries(steps).map(([step, meaning]) => [code(step), meaning]),
  );
const tables: Readonly<Record<string, string>> = {
  '## MBeans': markdownTable(
    ['MBean', 'kind', 'OpenMetrics', 'what it is'],
    metricTable(metricParts).flatMap(({ beans, family, help }) =>
      beans === undefined
        ? []
        : [
            [
              code(beans.name) + (beans.neutralName === undefined ? '' : `, neutral ${code(beans.neutralName)}`),
              beans.kind,
              family === undefined ? '' : code(family.name),
              help,
            ],
          ],
    ),
  ),
  '## What PuppetDB has and this service does not': markdownTable(
    ['MBean', 'attributes', 'why'],
    referenceDifferences.map(({ beans, attributes, reason }) => [
      beans.map(code).join(', '),
      attributes === undefined ? 'all' : attributes.map(code).join(', '),
      reason,
    ]),
  ),
  '## OpenMetrics': markdownTable(
    ['metric', 'type', 'labels', 'what it is'],
    familiesOf(metricTable(metricParts)).map(({ name, type, labels = [], help }) => [
      code(name + (type === 'counter' ? '_total' : type === 'info' ? '_info' : '')),
      type,
      labels.map(code).join(', '),
      help,
    ]),
  ),
  '### Steps of a batch': stepTable(batchSteps),
  '### Steps of a cleaning': stepTable(cleaningSteps),
};

/** Returns the page with each table after its heading. */
function withTables(page: string): string {
  return Object.entries(tables).reduce((text, [heading, table]) => {
    const [before, behind, more] = text.split(`\n${heading}\n`);
    if (behind === undefined || more !== undefined) throw new Error(`docs/monitoring.md has no single ${heading}`);
    return `${before}\n${heading}\n${behind.replace(/^\|.*(\n\|.*)*/m, () => table)}`;
  }, page);
}

it.each(Object.keys(tables))('%s', (heading) => {
  const page = readFileSync(file, 'utf8');
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, withTables(page));
  expect(readFileSync(file, 'utf8')).toContain(`\n${heading}\n`);
  expect(readFileSync(file, 'utf8')).toContain(`\n${tables[heading] ?? ''}\n`);
});
