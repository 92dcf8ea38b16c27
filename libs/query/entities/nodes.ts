import { boolean, nullBoolean } from '../kinds/boolean';
import { keyedText } from '../kinds/keyed-text';
import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { timestamp, unorderedTimestamp } from '../kinds/timestamp';
import { sql, table } from '../sql/fragment';
import { byCertname, type Entity } from './entity';

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
      kind: boolean(sql`n.latest_report_corrective_change`),
      open: nullBoolean,
    },
    // As in PuppetDB, this field can be compared with `=`, but not with `<` or `>`.
    { name: 'deactivated', kind: unorderedTimestamp(sql`n.deactivated`) },
    { name: 'expired', kind: timestamp(sql`n.expired`) },
    { name: 'report_environment', kind: text(sql`n.report_environment`) },
    { name: 'certname', kind: keyedText(sql`n.certname`, [], 'node', sql`n.node`) },
    { name: 'facts_timestamp', kind: timestamp(sql`n.facts_timestamp`) },
    { name: 'facts_environment', kind: text(sql`n.facts_environment`) },
    { name: 'cached_catalog_status', kind: text(sql`n.cached_catalog_status`) },
    { name: 'latest_report_status', kind: text(sql`n.latest_report_status`) },
    { name: 'latest_report_hash', kind: text(sql`n.latest_report_hash`) },
    { name: 'catalog_timestamp', kind: timestamp(sql`n.catalog_timestamp`) },
    { name: 'latest_report_noop_pending', kind: boolean(sql`n.latest_report_noop_pending`) },
    { name: 'report_timestamp', kind: timestamp(sql`n.report_timestamp`) },
    { name: 'latest_report_noop', kind: boolean(sql`n.latest_report_noop`) },
    { name: 'catalog_environment', kind: text(sql`n.catalog_environment`) },
    { name: 'latest_report_job_id', kind: text(sql`n.latest_report_job_id`) },
    { name: 'expires_facts', kind: boolean(sql`n.expires_facts`), option: 'facts-expiration' },
    {
      name: 'expires_facts_updated',
      kind: timestamp(sql`n.expires_facts_updated`),
      option: 'facts-expiration',
    },
  ],
  keyed: { fact: namedFact(sql`n.node`) },
  relations: byCertname,
};
