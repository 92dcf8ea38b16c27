import type { IsoTime, JsonText, WireEvent } from '../documents';
import { encodeString } from '../json/strings';

export interface ResourceStatus {
  readonly skipped: boolean;
  readonly timestamp: IsoTime;
  readonly resourceType: string;
  readonly resourceTitle: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly containmentPath: readonly string[] | null;
  readonly correctiveChange: boolean | null;
  readonly events: readonly StatusEvent[];
}

export interface ResourceStatuses {
  readonly list: readonly ResourceStatus[];
  /** The `resources` in answers, if the reader has already made this text. */
  readonly text?: JsonText | undefined;
}

export interface StatusEvent {
  readonly status: string;
  readonly timestamp: IsoTime;
  readonly property: string | null;
  readonly name: string | null;
  readonly newValue: JsonText;
  readonly oldValue: JsonText;
  readonly message: string | null;
  readonly correctiveChange: boolean | null;
}

/** Returns distinct events. A skipped resource has one event, and an unchanged resource has none. */
export function eventsOf(statuses: readonly ResourceStatus[]): WireEvent[] {
  const events: WireEvent[] = [];
  const repetitions = new Repetitions(events);
  for (const status of statuses) {
    const { resourceType, resourceTitle, file, line, containmentPath } = status;
    const containingClass = containingClassOf(containmentPath);
    for (const event of status.skipped ? [skippedEvent(status)] : status.events) {
      // One literal with all fields, because copying the fields from two objects takes several times as long.
      const whole: WireEvent = {
        status: event.status,
        timestamp: event.timestamp,
        property: event.property,
        name: event.name,
        newValue: event.newValue,
        oldValue: event.oldValue,
        message: event.message,
        correctiveChange: event.correctiveChange,
        resourceType,
        resourceTitle,
        file,
        line,
        containmentPath,
        containingClass,
      };
      if (!repetitions.has(whole)) events.push(whole);
    }
  }
  return events;
}

/** Compares only events with equal titles, because comparing all events would take a long time. */
class Repetitions {
  /**
   * For each title, the index of the first event with this title, or -1 if `alike` already contains that first event.
   */
  private readonly titles = new Map<string, number>();
  private readonly alike = new Map<string, { readonly first: number; texts?: Set<string> }>();

  constructor(private readonly events: readonly WireEvent[]) {}

  /** If the result is false, the caller must append the event to the list. */
  has(event: WireEvent): boolean {
    const { titles, events } = this;
    const first = titles.get(event.resourceTitle);
    if (first === undefined) {
      titles.set(event.resourceTitle, events.length);
      return false;
    }
    if (first !== -1) {
      this.isAlike(events[first] as WireEvent, first);
      titles.set(event.resourceTitle, -1);
    }
    return this.isAlike(event, events.length);
  }

  private isAlike(event: WireEvent, index: number): boolean {
    const { resourceTitle, resourceType, property, status, timestamp } = event;
    const key = `${resourceTitle}\0${resourceType}\0${property}\0${status}\0${timestamp}`;
    const others = this.alike.get(key);
    if (others === undefined) {
      this.alike.set(key, { first: index });
      return false;
    }
    others.texts ??= new Set([JSON.stringify(this.events[others.first])]);
    const before = others.texts.size;
    return others.texts.add(JSON.stringify(event)).size === before;
  }
}

function skippedEvent(status: ResourceStatus): StatusEvent {
  return {
    status: 'skipped',
    timestamp: status.timestamp,
    property: null,
    name: null,
    newValue: 'null',
    oldValue: 'null',
    message: null,
    correctiveChange: null,
  };
}

/** Elements with a bracket are references to resources. All other elements are classes. */
function containingClassOf(path: readonly string[] | null): string | null {
  for (let i = (path?.length ?? 0) - 1; i >= 0; i--)
    if (!path![i]!.includes('[')) return path![i]! === '' ? null : path![i]!;
  return null;
}

export function statusesText(statuses: readonly ResourceStatus[]): JsonText {
  return `[${statuses.map(statusText).join(',')}]`;
}

function statusText(status: ResourceStatus): string {
  const path = status.containmentPath === null ? 'null' : `[${status.containmentPath.map(encodeString).join(',')}]`;
  return (
    `{"file":${textOrNull(status.file)},"line":${status.line},"events":[${status.events.map(eventText).join(',')}],"skipped":${status.skipped},` +
    `"timestamp":"${status.timestamp}","resource_type":${encodeString(status.resourceType)},"resource_title":${encodeString(status.resourceTitle)},` +
    `"containment_path":${path},"corrective_change":${status.correctiveChange}}`
  );
}

function eventText(event: StatusEvent): string {
  return (
    `{"name":${textOrNull(event.name)},"status":${encodeString(event.status)},"message":${textOrNull(event.message)},"property":${textOrNull(event.property)},` +
    `"new_value":${event.newValue},"old_value":${event.oldValue},"timestamp":"${event.timestamp}","corrective_change":${event.correctiveChange}}`
  );
}

const textOrNull = (text: string | null): string => (text === null ? 'null' : encodeString(text));
