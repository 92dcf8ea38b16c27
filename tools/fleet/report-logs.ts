import type { FleetNode } from './node';
import { word } from './parameter-text';
import type { Random } from './random';
import type { ReportedResource } from './report-events';
import { manifestOf, referenceTo } from './resource';
import type { RunIdentity } from './run';
import { iso } from './run';

export interface FleetLog {
  readonly level: 'debug' | 'info' | 'notice' | 'warning' | 'err';
  readonly message: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly time: string;
}

export function openingLogs(node: FleetNode, identity: RunIdentity): FleetLog[] {
  return [
    `Using environment '${node.environment}'`,
    'Retrieving pluginfacts',
    'Retrieving plugin',
    'Loading facts',
    `Applying configuration version '${identity.configurationVersion}'`,
  ].map((message, i) => general('info', message, iso(identity.startedAt + i * 40)));
}

export function compilationLogs(node: FleetNode, identity: RunIdentity): FleetLog[] {
  const time = iso(identity.startedAt + 900);
  const role = `role::${node.role.name}`;
  return [
    ...openingLogs(node, identity).slice(0, -1),
    general(
      'err',
      'Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: Error while ' +
        `evaluating a Resource Statement, Class[Profile::Machine]: expects a value for parameter 'maintenance_contact' ` +
        `(file: ${manifestOf(role)}, line: 14, column: 3) on node ${node.certname}`,
      time,
    ),
    general('err', 'Could not retrieve catalog; skipping run', time),
  ];
}

export function closingLog(identity: RunIdentity): FleetLog {
  return general('notice', `Applied catalog in ${identity.duration.toFixed(2)} seconds`, identity.endTime);
}

export function chatter(random: Random, identity: RunIdentity): FleetLog[] {
  return Array.from({ length: 10 }, (_, i) => {
    const what = `${word(random)}_${word(random)}`;
    const [level, message] = random.pick([
      ['debug', `Fact ${what} resolved by custom resolution in ${random.between(1, 900)} ms`],
      ['warning', `Setting '${what}' is deprecated and will be ignored by a later release`],
      ['info', `Class ${what} keeps its cached state for ${random.between(2, 50)} more minutes`],
      ['debug', `Connection to ${what}.service.internal is kept alive`],
    ] as const);
    return general(level, message, iso(identity.startedAt + 300 + i * 17));
  });
}

export function eventLogs(reported: ReportedResource, containment: readonly string[]): FleetLog[] {
  const { resource } = reported;
  const source = `/${containment.join('/')}`;
  const line = (level: FleetLog['level'], message: string, property: string, time: number): FleetLog => ({
    level,
    message,
    source: property === '' ? source : `${source}/${property}`,
    tags: [level, ...resource.tags.slice(0, 3)],
    file: resource.file,
    line: resource.line,
    time: iso(time),
  });
  if (reported.skipped) return [line('warning', 'Skipping because of failed dependencies', '', reported.time)];
  return reported.events.map((event) =>
    line(event.status === 'failure' ? 'err' : 'notice', event.message, event.property, event.time),
  );
}

export function containmentOf(
  reported: ReportedResource,
  classPaths: ReadonlyMap<string, readonly string[]>,
): string[] {
  const { resource } = reported;
  if (resource.type === 'Class') return [...(classPaths.get(resource.title) ?? [])];
  return [...(classPaths.get(resource.container ?? '') ?? []), referenceTo(resource)];
}

function general(level: FleetLog['level'], message: string, time: string): FleetLog {
  return { level, message, source: 'Puppet', tags: [level], file: null, line: null, time };
}
