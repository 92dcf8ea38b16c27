import type { Members } from '../check/members';
import { readStrictTime } from '../check/times';
import { EventCount } from './event-count';
import { hasNoObjects, parsedValueText } from './parsed-value';
import {
  isObjectOf,
  isPlainInteger,
  isText,
  isTextOrNull,
  isTexts,
  type Parsed,
  parsedElements,
} from './parsed-elements';
import { resourceCharacters } from './resource-characters';
import type { StatusShapes } from './status-shapes';
import type { ResourceStatus, ResourceStatuses, StatusEvent } from './statuses';

/**
 * Returns the elements of `resources` if all have the form that agents send: the members that version 8 requires, with
 * values of the right kinds. Returns undefined if `readAnyStatuses` must read them. Throws `wire.limit`.
 */
export function parsedStatuses<K extends string>(
  report: Members<K | 'resources'>,
  { status, event }: StatusShapes,
): ResourceStatuses | undefined {
  const { limits } = report.scan;
  const elements = parsedElements(report, 'resources');
  if (elements === undefined || elements.length > limits.resources) return undefined;
  const statusNames = status.names;
  const eventNames = event.names.filter((_, index) => event.required[index]);
  const list: ResourceStatus[] = [];
  const texts: object[] = [];
  let keyless = true;
  const count = new EventCount(limits);
  for (const element of elements) {
    if (!isObjectOf(element, statusNames)) return undefined;
    const events: StatusEvent[] = [];
    const resource = readResource(element, events);
    if (resource === undefined) return undefined;
    const characters = resourceCharacters(resource);
    if (resource.skipped) count.add(characters);
    const eventTexts: object[] = [];
    const sent = element.events ?? [];
    if (!Array.isArray(sent)) return undefined;
    for (const one of sent as unknown[]) {
      count.add(characters);
      if (!isObjectOf(one, eventNames, 'name')) return undefined;
      const read = readEvent(one);
      if (read === undefined) return undefined;
      events.push(read);
      eventTexts.push(orderedEvent(one, read));
      keyless &&= hasNoObjects(one.new_value) && hasNoObjects(one.old_value);
    }
    list.push(resource);
    texts.push(orderedStatus(resource, eventTexts));
  }
  return { list, text: keyless ? JSON.stringify(texts) : undefined };
}

/** The members must be in the order that `statusesText` writes. */
const orderedStatus = (resource: ResourceStatus, events: readonly object[]): object => ({
  file: resource.file,
  line: resource.line,
  events,
  skipped: resource.skipped,
  timestamp: resource.timestamp,
  resource_type: resource.resourceType,
  resource_title: resource.resourceTitle,
  containment_path: resource.containmentPath,
  corrective_change: resource.correctiveChange,
});

const orderedEvent = ({ new_value, old_value }: Parsed, event: StatusEvent): object => ({
  name: event.name,
  status: event.status,
  message: event.message,
  property: event.property,
  new_value,
  old_value,
  timestamp: event.timestamp,
  corrective_change: event.correctiveChange,
});

function readResource(element: Parsed, events: readonly StatusEvent[]): ResourceStatus | undefined {
  const { skipped, resource_type, resource_title, file, line, containment_path, corrective_change } = element;
  const timestamp = timeOf(element.timestamp);
  if (typeof skipped !== 'boolean' || timestamp === undefined) return undefined;
  if (!isText(resource_type) || !isText(resource_title) || !isTextOrNull(file)) return undefined;
  if (line !== null && !(isPlainInteger(line) && line >= -(2 ** 31) && line < 2 ** 31)) return undefined;
  if (containment_path !== null && !isTexts(containment_path)) return undefined;
  if (!isFlag(corrective_change)) return undefined;
  return {
    skipped,
    timestamp,
    resourceType: resource_type,
    resourceTitle: resource_title,
    file,
    line,
    containmentPath: containment_path,
    correctiveChange: corrective_change,
    events,
  };
}

function readEvent(event: Parsed): StatusEvent | undefined {
  const { status, property, name = null, message, corrective_change } = event;
  const timestamp = timeOf(event.timestamp);
  const newValue = parsedValueText(event.new_value);
  const oldValue = parsedValueText(event.old_value);
  if (timestamp === undefined || newValue === undefined || oldValue === undefined) return undefined;
  if (!isText(status) || !isTextOrNull(property) || !isTextOrNull(name) || !isTextOrNull(message)) return undefined;
  if (!isFlag(corrective_change)) return undefined;
  return { status, timestamp, property, name, newValue, oldValue, message, correctiveChange: corrective_change };
}

const isFlag = (value: unknown): value is boolean | null => value === null || typeof value === 'boolean';

const timeOf = (value: unknown): string | undefined => (isText(value) ? readStrictTime(value) : undefined);
