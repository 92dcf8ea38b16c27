import { eachElement } from '../check/elements';
import { Members } from '../check/members';
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

/** Version 5 has a flat list of events instead of resources with events. */
export const reportV5: ReportVersion = {
  ...reportV6,
  version: 5,
  shape: reportShape([], ['resource_events', ...sinceV7, ...sinceV8]),
  statuses: (report) => ({ list: readResourceEvents(report) }),
};

/** Returns one status for each resource, in the order of the events. A skipped event becomes a status of its own. */
function readResourceEvents(report: Members<ReportField>): ResourceStatus[] {
  const kind = report.kind('resource_events');
  if (kind !== 'array') {
    if (kind !== undefined && kind !== 'null') report.wrong('resource_events', 'an array or null');
    return [];
  }
  const members = new Members(report.scan, resourceEventShape, report.problems, 2);
  members.base = 'resource_events';
  const statuses = new Map<string, Omit<ResourceStatus, 'events'> & { events: StatusEvent[] }>();
  const readNext = (pos: number, index: number): number => {
    members.index = index;
    const end = members.open(pos);
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
    return end;
  };
  eachElement(report.scan, report.start('resource_events'), readNext, 'events');
  return [...statuses.values()];
}
