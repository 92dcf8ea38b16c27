import { boolean, nullBoolean } from '../kinds/boolean';
import { condition } from '../kinds/condition';
import { integer } from '../kinds/integer';
import { jsonTextOf } from '../kinds/json-text';
import { longText } from '../kinds/long-text';
import { namedFact } from '../kinds/named-fact';
import { reportHash } from '../kinds/report-hash';
import { text } from '../kinds/text';
import { texts } from '../kinds/texts';
import { timestamp } from '../kinds/timestamp';
import { bind, type Fragment, sql, subQuery, table } from '../sql/fragment';
import { certname, environment } from './common-fields';
import { byCertname, byEnvironment, type Entity } from './entity';

// The array makes PostgreSQL expect few reports, so it looks up the events of each report in an index. Otherwise
// PostgreSQL would scan all events, because it overestimates how many events belong to the latest reports.
const isLatest = subQuery(sql`e.report IN (SELECT unnest(ARRAY(SELECT l.report FROM ${table('latest_reports')} l)))`);

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
    { name: 'message', kind: text(sql`e.message`) },
    { name: 'old_value', kind: jsonTextOf(sql`e.old_value`) },
    { name: 'report_receive_time', kind: timestamp(sql`r.receive_time`, ['report']) },
    { name: 'corrective_change', kind: boolean(sql`e.corrective_change`), open: nullBoolean },
    { name: 'containment_path', kind: texts(sql`e.containment_path`) },
    certname(sql`e.node`),
    { name: 'timestamp', kind: timestamp(sql`e.timestamp`) },
    { name: 'run_end_time', kind: timestamp(sql`r.end_time`, ['report']) },
    { name: 'name', kind: text(sql`e.name`) },
    { name: 'configuration_version', kind: text(sql`r.configuration_version`, ['report']) },
    { name: 'new_value', kind: jsonTextOf(sql`e.new_value`) },
    { name: 'resource_title', kind: longText(sql`e.resource_title`) },
    { name: 'status', kind: text(sql`e.status`) },
    { name: 'property', kind: text(sql`e.property`) },
    { name: 'resource_type', kind: text(sql`e.resource_type`) },
    { name: 'line', kind: integer(sql`e.line`) },
    environment(sql`r.environment`, ['report']),
    { name: 'containing_class', kind: text(sql`e.containing_class`) },
    { name: 'run_start_time', kind: timestamp(sql`r.start_time`, ['report']) },
    {
      name: 'latest_report?',
      kind: condition(isLatest),
      uses: ['ask', 'order'],
    },
    { name: 'file', kind: text(sql`e.file`) },
    { name: 'report', kind: reportHash(sql`r.hash`, ['report'], sql`e.report`) },
  ],
  keyed: { fact: namedFact(sql`e.node`) },
  relations: { ...byCertname, ...byEnvironment, reports: { local: ['report'], foreign: ['hash'] } },
};

/**
 * Selects the newest event of each resource and property of a node between `start` and `end`. A query about distinct
 * resources reads this result instead of the table `resource_events`.
 */
export const distinctEvents = ({ start, end }: { start: string; end: string }): Fragment => sql`(
    SELECT DISTINCT ON (x.node, x.resource_type, x.resource_title, x.property, x.name) x.*
    FROM ${table('resource_events')} x WHERE x.timestamp BETWEEN ${bind(start, 'timestamptz')} AND ${bind(end, 'timestamptz')}
    ORDER BY x.node, x.resource_type, x.resource_title, x.property, x.name, x.timestamp DESC, x.report, x.ordinal DESC
  ) e`;
