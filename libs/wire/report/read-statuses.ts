import { eachElement, readStrings } from '../check/elements';
import { Members } from '../check/members';
import { rewrite, storedStyle } from '../json/rewrite';
import { EventCount } from './event-count';
import { parsedStatuses } from './parsed-statuses';
import { resourceCharacters } from './resource-characters';
import type { EventField, StatusField, StatusShapes } from './status-shapes';
import type { ResourceStatus, ResourceStatuses, StatusEvent } from './statuses';

/** Returns the elements of `resources`; none if it is null or absent. */
export function readStatuses<K extends string>(
  report: Members<K | 'resources'>,
  shapes: StatusShapes,
): ResourceStatuses {
  const parsed = shapes.correctiveChange ? parsedStatuses(report, shapes) : undefined;
  return parsed ?? { list: readAnyStatuses(report, shapes) };
}

/** The same, read with care, with what is wrong with them. */
export function readAnyStatuses<K extends string>(
  report: Members<K | 'resources'>,
  shapes: StatusShapes,
): ResourceStatus[] {
  const kind = report.kind('resources');
  if (kind !== 'array') {
    if (kind !== undefined && kind !== 'null') report.wrong('resources', 'an array or null');
    return [];
  }
  const { scan, problems } = report;
  const members = new Members(scan, shapes.status, problems, 2);
  members.base = 'resources';
  const eventMembers = new Members(scan, shapes.event, problems, 4);
  eventMembers.base = () => members.path('events');
  const statuses: ResourceStatus[] = [];
  const count = new EventCount(scan.limits);
  const readNext = (pos: number, index: number): number => {
    members.index = index;
    const end = members.open(pos);
    const resource = {
      skipped: members.boolean('skipped'),
      timestamp: members.strictTime('timestamp'),
      resourceType: members.text('resource_type'),
      resourceTitle: members.text('resource_title'),
      file: members.textOrNull('file'),
      line: members.integerOrNull('line', 32),
      containmentPath: readContainmentPath(members),
      correctiveChange: shapes.correctiveChange ? members.booleanOrNull('corrective_change') : null,
    };
    const characters = resourceCharacters(resource);
    // A skipped resource counts as an event.
    if (resource.skipped) count.add(characters);
    statuses.push({ ...resource, events: readEvents(members, eventMembers, shapes, () => count.add(characters)) });
    return end;
  };
  eachElement(scan, report.start('resources'), readNext, 'resources');
  return statuses;
}

function readEvents(
  status: Members<StatusField>,
  members: Members<EventField>,
  shapes: StatusShapes,
  count: () => void,
): StatusEvent[] {
  const kind = status.kind('events');
  if (kind !== 'array') {
    if (kind !== undefined && kind !== 'null') status.wrong('events', 'an array or null');
    return [];
  }
  const events: StatusEvent[] = [];
  eachElement(status.scan, status.start('events'), (pos, index) => {
    count();
    members.index = index;
    const end = members.open(pos);
    events.push(readEvent(members, shapes.correctiveChange));
    return end;
  });
  return events;
}

/** Reads the members of an event. */
export function readEvent<K extends string>(members: Members<K | EventField>, correctiveChange: boolean): StatusEvent {
  return {
    status: members.text('status'),
    timestamp: members.strictTime('timestamp'),
    property: members.textOrNull('property'),
    name: members.textOrNull('name'),
    newValue: readValue(members, 'new_value'),
    oldValue: readValue(members, 'old_value'),
    message: members.textOrNull('message'),
    correctiveChange: correctiveChange ? members.booleanOrNull('corrective_change') : null,
  };
}

function readValue<K extends string>(
  members: Members<K | 'new_value' | 'old_value'>,
  name: 'new_value' | 'old_value',
): string {
  return members.has(name) ? rewrite(members.scan.text, members.start(name), storedStyle) : 'null';
}

export function readContainmentPath<K extends string>(members: Members<K | 'containment_path'>): string[] | null {
  const kind = members.kind('containment_path');
  if (kind === 'array')
    return readStrings(members.scan, members.start('containment_path'), members.problems, () =>
      members.path('containment_path'),
    );
  if (kind !== undefined && kind !== 'null') members.wrong('containment_path', 'an array of strings or null');
  return null;
}
