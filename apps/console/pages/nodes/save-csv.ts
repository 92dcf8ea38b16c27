import { saveText, toCsv } from '../../parts/csv';
import { ask, type Query } from '../../service/ask';
import type { NodeList } from '../../service/shapes';

export async function saveCsv(query: Query, columns: readonly string[]): Promise<void> {
  const rows: unknown[][] = [];
  let after: string | null | undefined;
  do {
    const page: NodeList = await ask<NodeList>('nodeledger/v1/node-list', {
      ...query,
      facts: JSON.stringify(columns),
      limit: 1000,
      after: after ?? undefined,
    });
    for (const node of page.nodes)
      rows.push([
        node.certname,
        node.status,
        ...columns.map((path) => node.facts[path]),
        node.environment,
        node.report_timestamp,
      ]);
    after = page.next;
  } while (after !== null);
  saveText('nodes.csv', 'text/csv', toCsv(['certname', 'status', ...columns, 'environment', 'report_timestamp'], rows));
}
