import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';
import { events } from './events';

const countedFields = [
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

/** Counts of events by report and containing class. Clients cannot query this entity by name. */
export const countedEvents: Entity = {
  ...events,
  from: sql`${table('event_counts')} e`,
  joins: { ...events.joins, report: { sql: sql`JOIN ${table('reports')} r ON r.report = e.report` } },
  fields: events.fields.filter((field) => countedFields.includes(field.name)),
};
