import type { Json } from './json-writer';
import { commandText, settingText, word } from './parameter-text';
import type { Random } from './random';
import type { FleetResource } from './resource';

export interface FleetEvent {
  readonly property: string;
  readonly oldValue: Json;
  readonly newValue: Json;
  readonly message: string;
  readonly status: 'success' | 'failure' | 'noop';
  readonly corrective: boolean;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface ReportedResource {
  readonly resource: FleetResource;
  readonly skipped: boolean;
  readonly events: readonly FleetEvent[];
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface Change {
  readonly property: string;
  readonly oldValue: Json;
  readonly newValue: Json;
  readonly message: string;
}

export function resourceEvents(
  random: Random,
  resource: FleetResource,
  status: FleetEvent['status'],
  options: {
    readonly creates: boolean;
    readonly corrective: boolean;
    readonly time: number;
    readonly versions?: readonly [before: string, now: string] | undefined;
  },
): FleetEvent[] {
  const count = status === 'failure' || !random.chance(0.055) ? 1 : 2;
  return Array.from({ length: count }, (_, i) => {
    const change = i === 0 ? mainChange(random, resource, options) : sideChange(random);
    return {
      ...change,
      message: messageOf(random, resource, change, status),
      status,
      corrective: options.corrective,
      time: options.time + i,
    };
  });
}

function messageOf(random: Random, resource: FleetResource, change: Change, status: FleetEvent['status']): string {
  if (status === 'noop') return `current_value ${shown(change.oldValue)}, should be ${shown(change.newValue)} (noop)`;
  if (status === 'success') return change.message;
  return `change from ${shown(change.oldValue)} to ${shown(change.newValue)} failed: ${failure(random, resource)}`;
}

function failure(random: Random, resource: FleetResource): string {
  const code = random.pick([1, 2, 100, 127]);
  switch (resource.type) {
    case 'Service':
      return `Systemd start for ${resource.title} failed: the control process exited with error code ${code}, see the journal`;
    case 'Package':
      return resource.parameters['provider'] === 'dnf'
        ? `Execution of '/usr/bin/dnf -d 0 -e 1 -y install ${resource.title}' returned 1: Error: Unable to find a match: ${resource.title}`
        : `Execution of '/usr/bin/apt-get -q -y install ${resource.title}' returned 100: E: Unable to locate package ${resource.title}`;
    case 'File':
      return `Could not evaluate ${resource.title}: no space left on device – ${random.between(0, 40)} kB free`;
    default:
      return `Execution of '${commandText(random, word(random))}' returned ${code} instead of one of [0]`;
  }
}

function mainChange(
  random: Random,
  resource: FleetResource,
  { creates, versions }: Parameters<typeof resourceEvents>[3],
): Change {
  if (resource.type === 'Exec') {
    return { property: 'returns', oldValue: 'notrun', newValue: ['0'], message: 'executed successfully' };
  }
  if (resource.type === 'Service') {
    return {
      property: 'ensure',
      oldValue: 'stopped',
      newValue: 'running',
      message: "ensure changed 'stopped' to 'running'",
    };
  }
  if (resource.type === 'File') {
    const now = `{sha256}${random.hex(64)}`;
    if (creates)
      return { property: 'ensure', oldValue: 'absent', newValue: 'file', message: `defined content as '${now}'` };
    const before = `{sha256}${random.hex(64)}`;
    return { property: 'content', oldValue: before, newValue: now, message: `content changed '${before}' to '${now}'` };
  }
  if (resource.type === 'Package' && !creates) {
    const [before, now] = versions ?? [madeUpVersion(random), madeUpVersion(random)];
    if (before === now) return { property: 'ensure', oldValue: 'purged', newValue: 'present', message: 'created' };
    return { property: 'ensure', oldValue: before, newValue: now, message: `ensure changed '${before}' to '${now}'` };
  }
  if (creates) return { property: 'ensure', oldValue: 'absent', newValue: 'present', message: 'created' };
  return sideChange(random);
}

function madeUpVersion(random: Random): string {
  return `${random.between(1, 9)}.${random.between(0, 40)}-${random.between(1, 9)}`;
}

function sideChange(random: Random): Change {
  const property = random.pick(['mode', 'owner', 'value', 'target', 'options', 'enable', 'priority', 'members']);
  const [oldValue, newValue] = valuesOf(random, property);
  return { property, oldValue, newValue, message: `${property} changed ${shown(oldValue)} to ${shown(newValue)}` };
}

function valuesOf(random: Random, property: string): [Json, Json] {
  switch (property) {
    case 'mode':
      return [random.pick(['0600', '0660']), random.pick(['0644', '0640'])];
    case 'enable':
      return [false, true];
    case 'priority':
      return [random.between(1, 49), random.between(50, 99)];
    case 'members':
      return [[word(random)], [word(random), word(random), word(random)]];
    default:
      return [settingText(random), settingText(random)];
  }
}

function shown(value: Json): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
