import { type Fragment, sql, subQuery, table } from '../sql/fragment';
import { byCertname, byEnvironment, byProducer, type Entity, factOf, type Field } from './entity';
import { eventTime } from './event-time';

const text = (name: string, value: Field['value']): Field => ({ name, type: 'text', value });
const time = (name: string, value: Field['value']): Field => ({ name, type: 'timestamp', value });

// Values are printed as jsonb prints them here, other than in /events.
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
  unlessAsked: { field: 'type', condition: sql`r.type = 'agent'` },
  fields: [
    time('receive_time', sql`r.receive_time`),
    { name: 'corrective_change', type: 'boolean', value: sql`r.corrective_change`, open: 'null' },
    text('code_id', sql`r.code_id`),
    { name: 'noop', type: 'boolean', value: sql`r.noop` },
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`r.node` },
    },
    { ...text('agent_version', sql`r.agent_version`), puppetName: 'puppet_version' },
    { ...text('hash', sql`r.hash`), key: { domain: 'report', value: sql`r.report` } },
    text('cached_catalog_status', sql`r.cached_catalog_status`),
    text('transaction_uuid', sql`r.transaction_uuid`),
    text('configuration_version', sql`r.configuration_version`),
    text('status', sql`r.status`),
    text('job_id', sql`r.job_id`),
    {
      name: 'producer',
      type: 'text',
      value: sql`pro.name`,
      needs: ['producer'],
      key: { domain: 'producer', value: sql`r.producer` },
    },
    text('catalog_uuid', sql`r.catalog_uuid`),
    {
      name: 'logs',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/logs', 'data', r.logs)`,
      uses: ['show'],
    },
    { name: 'noop_pending', type: 'boolean', value: sql`r.noop_pending` },
    time('end_time', sql`r.end_time`),
    { ...text('type', sql`r.type`), anyMeans: 'any' },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`r.environment` },
    },
    {
      name: 'latest_report?',
      type: 'boolean',
      isCondition: true,
      value: subQuery(sql`EXISTS (SELECT FROM ${table('latest_reports')} l WHERE l.report = r.report)`),
      uses: ['ask', 'order'],
    },
    time('start_time', sql`r.start_time`),
    {
      name: 'resource_events',
      type: 'expanded',
      value: sql`NULL::text`,
      output: resourceEvents(sql`x.corrective_change`),
      openOutput: resourceEvents(sql`NULL::boolean`),
      uses: ['show'],
    },
    {
      name: 'metrics',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/metrics', 'data', r.metrics)`,
      uses: ['show'],
    },
    time('producer_timestamp', sql`r.producer_timestamp`),
    { name: 'report_format', type: 'integer', value: sql`r.report_format` },
    {
      name: 'resources',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/reports/' || r.hash || '/resources', 'data', r.resources)`,
      uses: ['show'],
      open: 'absent',
    },
  ],
  keyed: factOf(sql`r.node`),
  relations: {
    ...byCertname,
    ...byEnvironment,
    ...byProducer,
    events: { local: ['hash'], foreign: ['report'] },
  },
};
