import { readObjects } from '../check/elements';
import type { Members } from '../check/members';
import { shape } from '../check/shape';
import { readContainmentPath, readEvent } from './read-statuses';
import type { EventField, StatusField } from './status-shapes';
import type { ResourceStatus, StatusEvent } from './statuses';
import { reportV6 } from './v6';
import { reportShape, sinceV7, sinceV8, type ReportField, type ReportVersion } from './v8';

type ResourceEventField = EventField | Exclude<StatusField, 'skipped' | 'events'>;

export const resourceEventShape = shape<ResourceEventField, ResourceEventField>(
  [
    'status',
    'timestamp',
    'property',
    'new_value',
    'old_value',
    'message',
    'resource_type',
    'resource_title',
    'file',
    'line',
    'containment_path',
  ],
  ['name', 'corrective_change'],
);

export const reportV5: ReportVersion = {
  ...reportV6,
  version: 5,
  shape: reportShape([], ['resource_events', ...sinceV7, ...sinceV8]),
  statuses: (report) => ({ list: readResourceEvents(report) }),
};

/** A skipped event becomes a status without events. */
function readResourceEvents(report: Members<ReportField>): ResourceStatus[] {
  if (!report.isArray('resource_events', { nullable: true })) return [];
  const statuses = new Map<string, Omit<ResourceStatus, 'events'> & { events: StatusEvent[] }>();
  const readNext = (members: Members<ResourceEventField>): void => {
    const event = readEvent(members, false);
    const resource = {
      skipped: event.status === 'skipped',
      resourceType: members.text('resource_type'),
      resourceTitle: members.text('resource_title'),
      file: members.textOrNull('file'),
      line: members.integerOrNull('line', 32),
      containmentPath: readContainmentPath(members),
      correctiveChange: null,
    };
    const key = JSON.stringify(resource);
    const status = statuses.get(key);
    const events = resource.skipped ? [] : [event];
    if (status === undefined) statuses.set(key, { ...resource, timestamp: event.timestamp, events });
    else status.events.push(...events);
  };
  readObjects(report, 'resource_events', resourceEventShape, readNext, 'events');
  return [...statuses.values()];
}
