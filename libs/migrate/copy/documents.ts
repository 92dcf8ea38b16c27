/**
 * Converts documents from answers of queries into commands of the newest version. Members are copied as text, so that
 * numbers keep their spelling and content hashes stay the same.
 */
import { Fault } from '#fault';
import { sliceElements, sliceMembers } from '#wire';
import type { SourceNode } from './store';

export interface WireCommand {
  /** Name of the command, with spaces. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: string;
}

type Members = ReadonlyMap<string, string>;

function members(text: string, names: readonly string[]): Members {
  const sliced = sliceMembers(text, names);
  if (sliced === undefined) throw unreadable('an object');
  return sliced.found;
}

const unreadable = (what: string): Fault =>
  new Fault('broken', 'migrate.unreadable', `the source answers a document in which ${what} was expected`, {
    hint: 'It may be another kind of server, or a release whose answers are not known. Nothing of this document was submitted.',
  });

/** Returns the elements of `data` if `text` is an expanded member `{"href": …, "data": […]}`. */
function data(text: string | undefined): string[] {
  if (text === undefined || text === 'null') return [];
  const list = text.startsWith('[') ? text : (members(text, ['data']).get('data') ?? 'null');
  if (list === 'null') return [];
  const elements = sliceElements(list);
  if (elements === undefined) throw unreadable('a list');
  return elements;
}

const object = (pairs: readonly (readonly [string, string])[]): string =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const required = (found: Members, name: string): string => {
  const text = found.get(name);
  if (text === undefined) throw unreadable(`the member ${name}`);
  return text;
};
const orNull = (found: Members, name: string): string => found.get(name) ?? 'null';
const textOf = (json: string): string => String(JSON.parse(json));

/** `packages` contains `[name, version, provider]` of each package, as JSON text. */
export function factsCommand(text: string, packages: readonly string[]): WireCommand {
  const names = ['certname', 'environment', 'producer_timestamp', 'producer', 'facts'];
  const found = members(text, names);
  const values = data(found.get('facts')).map((fact): [string, string] => {
    const one = members(fact, ['name', 'value']);
    return [textOf(required(one, 'name')), required(one, 'value')];
  });
  return {
    command: 'replace facts',
    version: 5,
    certname: textOf(required(found, 'certname')),
    payload: object([
      ...names.slice(0, 4).map((name): [string, string] => [name, orNull(found, name)]),
      ['values', object(values)],
      ...(packages.length > 0 ? [['package_inventory', `[${packages.join(',')}]`] as const] : []),
    ]),
  };
}

const catalogFields = [
  'certname',
  'version',
  'environment',
  'transaction_uuid',
  'catalog_uuid',
  'code_id',
  'producer_timestamp',
  'producer',
];
const resourceFields = ['type', 'title', 'exported', 'file', 'line', 'tags', 'parameters'];
const edgeFields = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship'];

export function catalogCommand(text: string): WireCommand {
  const found = members(text, [...catalogFields, 'job_id', 'resources', 'edges']);
  const resources = data(found.get('resources')).map((resource) => {
    const its = members(resource, resourceFields);
    return object(
      resourceFields
        .filter((name) => its.has(name) && (its.get(name) !== 'null' || !['file', 'line', 'parameters'].includes(name)))
        .map((name) => [name, required(its, name)]),
    );
  });
  const edges = data(found.get('edges')).map((edge) => {
    const its = members(edge, edgeFields);
    const end = (side: string): string =>
      object([
        ['type', required(its, `${side}_type`)],
        ['title', required(its, `${side}_title`)],
      ]);
    return object([
      ['source', end('source')],
      ['target', end('target')],
      ['relationship', required(its, 'relationship')],
    ]);
  });
  return {
    command: 'replace catalog',
    version: 9,
    certname: textOf(required(found, 'certname')),
    payload: object([
      ...catalogFields.map((name): [string, string] => [name, orNull(found, name)]),
      ['job_id', orNull(found, 'job_id')],
      ['resources', `[${resources.join(',')}]`],
      ['edges', `[${edges.join(',')}]`],
    ]),
  };
}

const inputFields = ['certname', 'producer_timestamp', 'catalog_uuid', 'inputs'];

export function inputsCommand(text: string): WireCommand {
  const found = members(text, inputFields);
  return {
    command: 'replace catalog inputs',
    version: 1,
    certname: textOf(required(found, 'certname')),
    payload: object(inputFields.map((name) => [name, required(found, name)])),
  };
}

const reportFields = [
  'certname',
  'puppet_version',
  'report_format',
  'configuration_version',
  'start_time',
  'end_time',
  'producer_timestamp',
  'producer',
  'environment',
  'transaction_uuid',
  'status',
  'noop',
  'noop_pending',
  'corrective_change',
  'catalog_uuid',
  'code_id',
  'cached_catalog_status',
];
const optionalReportFields = ['job_id', 'type'];
const eventFields = [
  'status',
  'timestamp',
  'property',
  'name',
  'new_value',
  'old_value',
  'message',
  'corrective_change',
];
const resourceOfEvent = ['resource_type', 'resource_title', 'file', 'line', 'containment_path'];

export function reportCommand(text: string): WireCommand {
  const found = members(text, [
    ...reportFields,
    ...optionalReportFields,
    'agent_version',
    'resource_events',
    'metrics',
    'logs',
  ]);
  // If the source is a nodeledger with `NODELEDGER_DIALECT=neutral`, the member is called `agent_version`.
  const version = found.get('puppet_version') ?? found.get('agent_version');
  const list = (name: string): string =>
    orNull(found, name) === 'null' ? 'null' : `[${data(found.get(name)).join(',')}]`;
  return {
    command: 'store report',
    version: 8,
    certname: textOf(required(found, 'certname')),
    payload: object([
      ...reportFields.map((name): [string, string] => [
        name,
        name === 'puppet_version' ? (version ?? 'null') : orNull(found, name),
      ]),
      ...optionalReportFields
        .filter((name) => orNull(found, name) !== 'null')
        .map((name): [string, string] => [name, required(found, name)]),
      ['metrics', list('metrics')],
      ['logs', list('logs')],
      ['resources', `[${resourcesOf(data(found.get('resource_events'))).join(',')}]`],
    ]),
  };
}

function resourcesOf(events: readonly string[]): string[] {
  const resources = new Map<string, { readonly head: Members; readonly events: Members[] }>();
  for (const event of events) {
    const its = members(event, [...resourceOfEvent, ...eventFields]);
    const isSkip = orNull(its, 'status') === '"skipped"' && orNull(its, 'property') === 'null';
    // The source represents a skipped resource by an event, but a report lists a skipped resource without events.
    const key = JSON.stringify([isSkip, ...resourceOfEvent.map((name) => orNull(its, name))]);
    const resource = resources.get(key);
    if (resource === undefined) resources.set(key, { head: its, events: isSkip ? [] : [its] });
    else if (!isSkip) resource.events.push(its);
  }
  return [...resources.values()].map(({ head, events: its }) =>
    object([
      ['skipped', its.length === 0 ? 'true' : 'false'],
      ['timestamp', required(head, 'timestamp')],
      ...resourceOfEvent.map((name): [string, string] => [name, orNull(head, name)]),
      ['corrective_change', 'null'],
      ['events', `[${its.map((event) => object(eventFields.map((name) => [name, orNull(event, name)]))).join(',')}]`],
    ]),
  );
}

export function stateCommands({ certname, deactivated, expiresFacts, expiresFactsUpdated }: SourceNode): WireCommand[] {
  const commands: WireCommand[] = [];
  if (expiresFacts !== null && expiresFactsUpdated !== null) {
    commands.push({
      command: 'configure expiration',
      version: 1,
      certname,
      payload: JSON.stringify({ certname, producer_timestamp: expiresFactsUpdated, expire: { facts: expiresFacts } }),
    });
  }
  if (deactivated !== null) {
    commands.push({
      command: 'deactivate node',
      version: 3,
      certname,
      payload: JSON.stringify({ certname, producer_timestamp: deactivated }),
    });
  }
  return commands;
}
