import { boolean, nullBoolean } from '../kinds/boolean';
import { condition } from '../kinds/condition';
import { expanded } from '../kinds/expanded';
import { integer } from '../kinds/integer';
import { namedFact } from '../kinds/named-fact';
import { reportMetrics } from '../kinds/report-metrics';
import { reportHash } from '../kinds/report-hash';
import { text } from '../kinds/text';
import { textOrAny } from '../kinds/text-or-any';
import { timestamp } from '../kinds/timestamp';
import { type Fragment, sql, subQuery, table } from '../sql/fragment';
import { certname, environment, producer } from './common-fields';
import { byCertname, byEnvironment, byProducer, type Entity } from './entity';

/** Formats a time inside an expanded report: in UTC, as PostgreSQL writes times in JSON. */
const eventTime = (value: Fragment): Fragment => sql`((to_json(${value} AT TIME ZONE 'UTC') #>> '{}') || '+00:00')`;

// Prints `new_value` and `old_value` in the format of jsonb, as PuppetDB does in reports. Answers from /events contain
// the stored texts instead.
const resourceEvents = (corrective: Fragment): Fragment => sql`
  json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/events', 'data',
    (SELECT json_agg(json_build_object('status', x.status, 'timestamp', ${eventTime(sql`x.timestamp`)},
      'resource_type', x.resource_type, 'resource_title', x.resource_title, 'property', x.property,
      'corrective_change', ${corrective}, 'new_value', x.new_value::jsonb, 'old_value', x.old_value::jsonb,
      'message', x.message, 'file', x.file, 'line', x.line, 'containment_path', x.containment_path,
      'containing_class', x.containing_class, 'name', x.name) ORDER BY x.ordinal)
     FROM ${table('resource_events')} x WHERE x.report = r.report))`;

export const reports: Entity = {
  name: 'reports',
  title: 'reports',
  from: sql`${table('reports')} r`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = r.node` },
    environment: { sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = r.environment` },
    producer: { sql: sql`LEFT JOIN ${table('producers')} pro ON pro.producer = r.producer` },
  },
  nodeJoin: 'node',
  activeOnly: { path: false, root: true },
  unlessQueried: { field: 'type', condition: sql`r.type = 'agent'` },
  fields: [
    { name: 'receive_time', kind: timestamp(sql`r.receive_time`) },
    { name: 'corrective_change', kind: boolean(sql`r.corrective_change`), open: nullBoolean },
    { name: 'code_id', kind: text(sql`r.code_id`) },
    { name: 'noop', kind: boolean(sql`r.noop`) },
    certname(sql`r.node`),
    { name: 'agent_version', kind: text(sql`r.agent_version`), puppetName: 'puppet_version' },
    { name: 'hash', kind: reportHash(sql`r.hash`, [], sql`r.report`) },
    { name: 'cached_catalog_status', kind: text(sql`r.cached_catalog_status`) },
    { name: 'transaction_uuid', kind: text(sql`r.transaction_uuid`) },
    { name: 'configuration_version', kind: text(sql`r.configuration_version`) },
    { name: 'status', kind: text(sql`r.status`) },
    { name: 'job_id', kind: text(sql`r.job_id`) },
    producer(sql`r.producer`),
    { name: 'catalog_uuid', kind: text(sql`r.catalog_uuid`) },
    {
      name: 'logs',
      kind: expanded(sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/logs', 'data', r.logs)`),
      uses: ['show'],
    },
    { name: 'noop_pending', kind: boolean(sql`r.noop_pending`) },
    { name: 'end_time', kind: timestamp(sql`r.end_time`) },
    { name: 'type', kind: textOrAny(sql`r.type`, 'any') },
    environment(sql`r.environment`),
    {
      name: 'latest_report?',
      kind: condition(subQuery(sql`EXISTS (SELECT FROM ${table('latest_reports')} l WHERE l.report = r.report)`)),
      uses: ['ask', 'order'],
    },
    { name: 'start_time', kind: timestamp(sql`r.start_time`) },
    {
      name: 'resource_events',
      kind: expanded(resourceEvents(sql`x.corrective_change`)),
      open: expanded(resourceEvents(sql`NULL::boolean`)),
      uses: ['show'],
    },
    {
      name: 'metrics',
      kind: reportMetrics(
        sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/metrics', 'data', r.metrics)`,
        sql`r.metrics`,
      ),
      uses: ['show'],
      members: { uses: ['ask', 'show', 'order'], addition: 'metrics' },
    },
    { name: 'producer_timestamp', kind: timestamp(sql`r.producer_timestamp`) },
    { name: 'report_format', kind: integer(sql`r.report_format`) },
    {
      name: 'resources',
      kind: expanded(
        sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/resources', 'data', r.resources)`,
      ),
      uses: ['show'],
      open: 'absent',
    },
  ],
  keyed: { fact: namedFact(sql`r.node`) },
  relations: {
    ...byCertname,
    ...byEnvironment,
    ...byProducer,
    events: { local: ['hash'], foreign: ['report'] },
  },
};
