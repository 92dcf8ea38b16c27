import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';
import { events } from './events';

/** What conditions on events can ask without the events themselves: their report and their containing class. */
const kept = [
  'certname',
  'report',
  'environment',
  'configuration_version',
  'run_start_time',
  'run_end_time',
  'report_receive_time',
  'latest_report?',
  'containing_class',
];

/** The counts per report and containing class, asked as if they were events. Not an entity of its own. */
export const countedEvents: Entity = {
  ...events,
  from: sql`${table('event_counts')} e`,
  joins: { ...events.joins, report: { sql: sql`JOIN ${table('reports')} r ON r.report = e.report` } },
  fields: events.fields.filter((field) => kept.includes(field.name)),
};
