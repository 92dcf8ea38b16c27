import { askQuery } from '../../support/ask-query';
import type { Server } from './archive-transfer';

const entities = [
  ...['nodes', 'environments', 'producers', 'factsets', 'facts', 'fact-names', 'fact-contents', 'inventory'],
  ...['catalogs', 'catalog-inputs', 'catalog-input-contents', 'resources', 'edges', 'reports', 'events'],
  ...['packages', 'package-inventory'],
];

type Join = readonly [from: string, fields: readonly string[], to: string, otherFields: readonly string[]];

/** Relations between documents and within them. */
const joins: readonly Join[] = [
  ['events', ['certname', 'resource_type', 'resource_title'], 'resources', ['certname', 'type', 'title']],
  ['resources', ['certname', 'type', 'title'], 'events', ['certname', 'resource_type', 'resource_title']],
  ['edges', ['certname', 'source_type', 'source_title'], 'resources', ['certname', 'type', 'title']],
  ['edges', ['certname', 'target_type', 'target_title'], 'resources', ['certname', 'type', 'title']],
  ['reports', ['certname', 'catalog_uuid'], 'catalogs', ['certname', 'catalog_uuid']],
  ['reports', ['producer'], 'factsets', ['producer']],
  ['catalogs', ['environment'], 'factsets', ['environment']],
  ['catalog-inputs', ['certname', 'catalog_uuid'], 'catalogs', ['certname', 'catalog_uuid']],
  ['facts', ['certname'], 'catalogs', ['certname']],
  ['nodes', ['certname', 'latest_report_hash'], 'reports', ['certname', 'hash']],
];

/** Counts the rows of every entity, and the rows that have a matching row in another entity. */
export async function figures(server: Server): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const entity of entities) found[entity] = (await askQuery<unknown[]>(server, entity)).length;
  for (const [from, fields, to, otherFields] of joins) {
    const partners = ['extract', otherFields, [`select_${to.replaceAll('-', '_')}`, ['~', 'certname', '']]];
    const query = ['extract', [['function', 'count']], ['in', fields, partners]];
    const [row] = await askQuery<{ count: number }[]>(server, from, query);
    found[`${from} of ${to}: ${fields.join()}`] = row!.count;
  }
  return found;
}
