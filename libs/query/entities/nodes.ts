import { sql, table } from '../sql/fragment';
import { byCertname, type Entity, factOf, type Field } from './entity';

const text = (name: string, value = sql``): Field => ({ name, type: 'text', value });

export const nodes: Entity = {
  name: 'nodes',
  title: 'nodes',
  from: sql`${table('nodes')} n`,
  joins: {},
  nodeJoin: '',
  activeOnly: { path: true, root: true },
  fields: [
    {
      name: 'latest_report_corrective_change',
      type: 'boolean',
      value: sql`n.latest_report_corrective_change`,
      open: 'null',
    },
    // Known behaviour of the interface: it has equality, but no order.
    { name: 'deactivated', type: 'timestamp', value: sql`n.deactivated`, unordered: true },
    { name: 'expired', type: 'timestamp', value: sql`n.expired` },
    text('report_environment', sql`n.report_environment`),
    { ...text('certname', sql`n.certname`), key: { domain: 'node', value: sql`n.node` } },
    { name: 'facts_timestamp', type: 'timestamp', value: sql`n.facts_timestamp` },
    text('facts_environment', sql`n.facts_environment`),
    text('cached_catalog_status', sql`n.cached_catalog_status`),
    text('latest_report_status', sql`n.latest_report_status`),
    text('latest_report_hash', sql`n.latest_report_hash`),
    { name: 'catalog_timestamp', type: 'timestamp', value: sql`n.catalog_timestamp` },
    { name: 'latest_report_noop_pending', type: 'boolean', value: sql`n.latest_report_noop_pending` },
    { name: 'report_timestamp', type: 'timestamp', value: sql`n.report_timestamp` },
    { name: 'latest_report_noop', type: 'boolean', value: sql`n.latest_report_noop` },
    text('catalog_environment', sql`n.catalog_environment`),
    text('latest_report_job_id', sql`n.latest_report_job_id`),
    { name: 'expires_facts', type: 'boolean', value: sql`n.expires_facts`, option: 'facts-expiration' },
    {
      name: 'expires_facts_updated',
      type: 'timestamp',
      value: sql`n.expires_facts_updated`,
      option: 'facts-expiration',
    },
  ],
  keyed: factOf(sql`n.node`),
  relations: byCertname,
};
