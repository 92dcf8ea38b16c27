import { readObjects, readStrings } from '../check/elements';
import type { Members } from '../check/members';
import { rewrite, storedStyle } from '../json/rewrite';
import { EventCount } from './event-count';
import { parsedStatuses } from './parsed-statuses';
import { resourceCharacters } from './resource-characters';
import type { EventField, StatusField, StatusShapes } from './status-shapes';
import type { ResourceStatus, ResourceStatuses, StatusEvent } from './statuses';

export function readStatuses<K extends string>(
  report: Members<K | 'resources'>,
  shapes: StatusShapes,
): ResourceStatuses {
  const parsed = shapes.correctiveChange ? parsedStatuses(report, shapes) : undefined;
  return parsed ?? { list: readAnyStatuses(report, shapes) };
}

/** Reads statuses like `readStatuses`, in any valid form. Adds a problem for each invalid value. */
export function readAnyStatuses<K extends string>(
  report: Members<K | 'resources'>,
  shapes: StatusShapes,
): ResourceStatus[] {
  if (!report.isArray('resources', { nullable: true })) return [];
  const count = new EventCount(report.scan.limits);
  const readStatus = (members: Members<StatusField>): ResourceStatus => {
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
    // A skipped resource becomes one event.
    if (resource.skipped) count.add(characters);
    const events = readEvents(members, shapes, () => count.add(characters));
    return { ...resource, events };
  };
  return readObjects(report, 'resources', shapes.status, readStatus, 'resources');
}

function readEvents(status: Members<StatusField>, shapes: StatusShapes, count: () => void): StatusEvent[] {
  if (!status.isArray('events', { nullable: true })) return [];
  return readObjects(status, 'events', shapes.event, (members) => {
    count();
    return readEvent(members, shapes.correctiveChange);
  });
}

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
  if (!members.isArray('containment_path', { nullable: true, of: ' of strings' })) return null;
  return readStrings(members.scan, members.start('containment_path'), members.problems, () =>
    members.path('containment_path'),
  );
}
