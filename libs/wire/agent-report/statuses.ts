import type { JsonText } from '../documents';
import { eachMember, readObjects } from '../check/elements';
import { Members } from '../check/members';
import { quoted } from '../check/problems';
import { shape } from '../check/shape';
import { encodeString } from '../json/strings';
import { canonicalStyle, rewrite } from '../json/rewrite';
import { EventCount } from '../report/event-count';
import { checkNumber, lineNumber, oneOf, sentTime, stringList } from './field-checks';

const status = shape(
  [
    'resource_type',
    'title',
    'change_count',
    'out_of_sync_count',
    'tags',
    'events',
    'skipped',
    'containment_path',
  ] as const,
  [
    'resource',
    'file',
    'line',
    'provider_used',
    'evaluation_time',
    'time',
    'failed',
    'failed_to_restart',
    'changed',
    'out_of_sync',
    'corrective_change',
  ] as const,
);
const event = shape(
  ['audited', 'property', 'message', 'name', 'status', 'time'] as const,
  ['previous_value', 'desired_value', 'historical_value', 'redacted', 'corrective_change'] as const,
);
type StatusMembers = Members<(typeof status.names)[number]>;
type EventMembers = Members<(typeof event.names)[number]>;

const eventStatuses = ['success', 'failure', 'noop', 'audit', 'skipped'];

/**
 * Leaves out unchanged resources that were not skipped, as the report processor of the Puppet server does by default. A
 * resource without a time gets `startTime`.
 */
export function agentStatuses<K extends string>(
  report: Members<K | 'resource_statuses'>,
  startTime: JsonText,
): JsonText {
  const kind = report.kind('resource_statuses');
  if (kind !== 'object') {
    if (kind !== undefined) report.wrong('resource_statuses', 'an object');
    return '[]';
  }
  const { scan, problems } = report;
  const members = new Members(scan, status, problems, 2);
  const resources = new Map<string, string | undefined>();
  const count = new EventCount(scan.limits);
  const readNext = (name: string, pos: number): number => {
    members.base = () => `resource_statuses[${quoted(name)}]`;
    if (resources.has(name)) problems.add(members.path(), 'one entry of this name', 'another one');
    const end = members.open(pos);
    resources.set(name, readStatus(members, startTime, count));
    return end;
  };
  eachMember(scan, report.start('resource_statuses'), readNext, 'resources');
  const kept = [...resources].filter((entry): entry is [string, string] => entry[1] !== undefined);
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return `[${kept.map(([, text]) => text).join(',')}]`;
}

function readStatus(members: StatusMembers, startTime: JsonText, count: EventCount): JsonText | undefined {
  for (const name of ['change_count', 'out_of_sync_count'] as const) checkNumber(members, name, { whole: true });
  checkNumber(members, 'evaluation_time', { nullable: true });
  for (const name of ['failed', 'failed_to_restart', 'changed', 'out_of_sync'] as const) members.booleanOrNull(name);
  for (const name of ['resource', 'provider_used'] as const) members.textOrNull(name);
  stringList(members, 'tags');
  const type = members.text('resource_type');
  if (members.kind('resource_type') === 'string' && !/^[A-Z]/.test(type))
    members.wrong('resource_type', 'a capitalized type', quoted(type));
  const time = sentTime(members, 'time', startTime);
  const skipped = members.boolean('skipped');
  const file = members.textOrNull('file');
  const path = members.kind('containment_path') === 'null' ? 'null' : stringList(members, 'containment_path');
  const title = members.text('title');
  const characters = type.length + title.length + (file?.length ?? 0) + path.length;
  if (skipped) count.add(characters);
  const text =
    `{"skipped":${skipped},"timestamp":${time},"resource_type":${encodeString(type)},` +
    `"resource_title":${encodeString(title)},"file":${file === null ? 'null' : encodeString(file)},` +
    `"line":${lineNumber(members, 'line')},"containment_path":${path},` +
    `"corrective_change":${members.booleanOrNull('corrective_change')},"events":`;
  const events = readEvents(members, time, () => count.add(characters));
  return events.length > 0 || skipped ? `${text}[${events.join(',')}]}` : undefined;
}

function readEvents(members: StatusMembers, time: JsonText, count: () => void): JsonText[] {
  if (!members.isArray('events')) return [];
  return readObjects(members, 'events', event, (one) => {
    count();
    return readEvent(one, time);
  });
}

function readEvent(members: EventMembers, time: JsonText): JsonText {
  members.booleanOrNull('audited', false);
  members.booleanOrNull('redacted');
  const text = (name: 'property' | 'name' | 'message'): JsonText => {
    const value = members.textOrNull(name);
    return value === null ? 'null' : encodeString(value);
  };
  return (
    `{"status":${encodeString(oneOf(members, 'status', eventStatuses))},"timestamp":${sentTime(members, 'time', time)},` +
    `"property":${text('property')},"name":${text('name')},"message":${text('message')},` +
    `"new_value":${valueText(members, 'desired_value')},"old_value":${valueText(members, 'previous_value')},` +
    `"corrective_change":${members.booleanOrNull('corrective_change')}}`
  );
}

/** As the report processor does, converts null to the empty text, and a value that is not a text to its JSON. */
function valueText(members: EventMembers, name: 'desired_value' | 'previous_value'): JsonText {
  const kind = members.kind(name);
  if (kind === undefined || kind === 'null') return '""';
  if (kind === 'string') return members.raw(name);
  return encodeString(rewrite(members.scan.text, members.start(name), canonicalStyle));
}
