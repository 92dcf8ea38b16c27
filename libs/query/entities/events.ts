import { type Fragment, sql, subQuery, table } from '../sql/fragment';
import { byCertname, byEnvironment, type Entity, factOf, type Field } from './entity';

const text = (name: string, value: Field['value']): Field => ({ name, type: 'text', value });

export const events: Entity = {
  name: 'events',
  title: 'events',
  from: sql`${table('resource_events')} e`,
  joins: {
    report: { sql: sql`JOIN ${table('reports')} r ON r.report = e.report` },
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = e.node` },
    environment: {
      sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = r.environment`,
      after: ['report'],
    },
  },
  nodeJoin: 'node',
  activeOnly: { path: false, root: true },
  fields: [
    text('message', sql`e.message`),
    { name: 'old_value', type: 'json-text', value: sql`e.old_value` },
    { name: 'report_receive_time', type: 'timestamp', value: sql`r.receive_time`, needs: ['report'] },
    { name: 'corrective_change', type: 'boolean', value: sql`e.corrective_change`, open: 'null' },
    { name: 'containment_path', type: 'texts', value: sql`e.containment_path` },
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`e.node` },
    },
    { name: 'timestamp', type: 'timestamp', value: sql`e.timestamp` },
    { name: 'run_end_time', type: 'timestamp', value: sql`r.end_time`, needs: ['report'] },
    text('name', sql`e.name`),
    { ...text('configuration_version', sql`r.configuration_version`), needs: ['report'] },
    { name: 'new_value', type: 'json-text', value: sql`e.new_value` },
    { ...text('resource_title', sql`e.resource_title`), prefix: sql`"left"(e.resource_title, 200)` },
    text('status', sql`e.status`),
    text('property', sql`e.property`),
    text('resource_type', sql`e.resource_type`),
    { name: 'line', type: 'integer', value: sql`e.line` },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`r.environment`, needs: ['report'] },
    },
    text('containing_class', sql`e.containing_class`),
    { name: 'run_start_time', type: 'timestamp', value: sql`r.start_time`, needs: ['report'] },
    {
      name: 'latest_report?',
      type: 'boolean',
      isCondition: true,
      value: subQuery(sql`EXISTS (SELECT FROM ${table('latest_reports')} l WHERE l.report = e.report)`),
      uses: ['ask', 'order'],
    },
    text('file', sql`e.file`),
    { ...text('report', sql`r.hash`), needs: ['report'], key: { domain: 'report', value: sql`e.report` } },
  ],
  keyed: factOf(sql`e.node`),
  relations: { ...byCertname, ...byEnvironment, reports: { local: ['report'], foreign: ['hash'] } },
};

/** In place of the tables: of the events in a window, the newest of each node's resource, property and name. */
export const distinctEvents = (start: Fragment, end: Fragment): Fragment => sql`(
    SELECT DISTINCT ON (x.node, x.resource_type, x.resource_title, x.property, x.name) x.*
    FROM ${table('resource_events')} x WHERE x.timestamp BETWEEN ${start} AND ${end}
    ORDER BY x.node, x.resource_type, x.resource_title, x.property, x.name, x.timestamp DESC, x.report, x.ordinal DESC
  ) e`;
