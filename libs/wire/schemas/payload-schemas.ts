import { anything, flag, integer, list, mapOf, object, oneOfTexts, orNull, type Schema, text, time } from '#openapi';
import { agentReportShape } from '../agent-report/read-agent-report';
import { edgeEndShape, edgeShape, relationships } from '../catalog/edges';
import { resourceShape } from '../catalog/resources';
import type { CatalogVersion } from '../catalog/v9';
import type { Shape } from '../check/shape';
import { deactivationShape } from '../deactivate/v3';
import { expirationShape, expireShape } from '../expiration/v1';
import type { FactsVersion } from '../facts/v5';
import { catalogInputsShape } from '../inputs/v1';
import { catalogVersions, factsVersions, reportVersions } from '../read-command';
import { logShape } from '../report/logs';
import { metricShape } from '../report/metrics';
import { resourceEventShape } from '../report/v5';
import { statusShapesV7 } from '../report/v7';
import { type ReportVersion, statusShapesV8 } from '../report/v8';
import type { StatusShapes } from '../report/status-shapes';

const uuid: Schema = { type: 'string', format: 'uuid' };
const sentTime: Schema = {
  description: 'An ISO 8601 time, or milliseconds since 1970.',
  anyOf: [text(), { type: 'integer' }],
};
const texts = list(text());

const usual: Readonly<Record<string, Schema>> = {
  ...fromNames(
    text(),
    'certname',
    'version',
    'title',
    'type',
    'level',
    'message',
    'source',
    'category',
    'name',
    'host',
  ),
  ...fromNames(text(), 'puppet_version', 'agent_version', 'configuration_version', 'resource_type', 'resource_title'),
  ...fromNames(
    orNull(text()),
    'environment',
    'producer',
    'code_id',
    'job_id',
    'cached_catalog_status',
    'file',
    'status',
  ),
  ...fromNames(orNull(uuid), 'transaction_uuid', 'catalog_uuid'),
  ...fromNames(orNull(flag), 'noop', 'noop_pending', 'corrective_change'),
  ...fromNames(flag, 'exported', 'skipped', 'transaction_completed'),
  ...fromNames(time, 'time', 'timestamp', 'start_time', 'end_time'),
  ...fromNames(anything, 'new_value', 'old_value'),
  ...fromNames(integer, 'report_format'),
  producer_timestamp: sentTime,
  line: orNull(integer),
  containment_path: orNull(texts),
};

function fromNames(schema: Schema, ...names: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

function ofShape<K extends string>(shape: Shape<K>, particular?: Readonly<Partial<Record<K, Schema>>>): Schema {
  const schemaOf = (name: K): Schema => {
    const schema = particular?.[name] ?? usual[name];
    if (schema === undefined) throw new Error(`the member ${name} has no schema`);
    return schema;
  };
  const properties = Object.fromEntries(shape.names.map((name): [string, Schema] => [name, schemaOf(name)]));
  const spellings = new Map(shape.names.map((name): [K, string[]] => [name, [name]]));
  for (const [alias, index] of shape.indexes) {
    const name = shape.names[index]!;
    if (alias === name) continue;
    properties[alias] = schemaOf(name);
    spellings.get(name)!.push(alias);
  }
  const needed = shape.names.filter((_, index) => shape.required[index]).map((name) => spellings.get(name)!);
  const [only, several] = [needed.filter(({ length }) => length === 1), needed.filter(({ length }) => length > 1)];
  const written = object(properties, { required: only.flat(), open: shape.open }) as object;
  if (several.length === 0) return written as Schema;
  return { ...written, allOf: several.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })) };
}

const tuple = (...names: readonly string[]): Schema => ({
  type: 'array',
  prefixItems: names.map((name) => text(`The ${name}.`)),
  items: false,
  minItems: names.length,
});

const facts = ({ shape, version }: FactsVersion): Schema =>
  ofShape(shape, {
    // Version 4 ignores a producer, so any value is valid.
    ...(version < 5 && { producer: anything }),
    values: { ...(mapOf(anything) as object), description: 'The facts by name. A value is any JSON value.' },
    package_inventory: orNull(list(tuple('name', 'version', 'provider'))),
    timestamp: anything,
  });

const resource = ofShape(resourceShape, {
  tags: texts,
  file: { anyOf: [text(), { type: 'number' }, { type: 'null' }] },
  parameters: orNull(mapOf(anything)),
});

const edgeEnd = ofShape(edgeEndShape);
const edge = ofShape(edgeShape, {
  source: edgeEnd,
  target: edgeEnd,
  relationship: oneOfTexts([...relationships]),
});

const catalog = ({ shape }: CatalogVersion): Schema => ofShape(shape, { edges: list(edge), resources: list(resource) });

const log = ofShape(logShape, { tags: orNull(texts) });
const metric = ofShape(metricShape, { value: { type: 'number' } });

const nullableTexts = fromNames(orNull(text()), 'property', 'message', 'name');
const ofEvents = { ...nullableTexts, status: text() };

/** Allows any `corrective_change` in versions that ignore it. */
const status = ({ status: shape, event, correctiveChange }: StatusShapes): Schema => {
  const corrective_change = correctiveChange ? orNull(flag) : anything;
  const events = orNull(list(ofShape(event, { ...ofEvents, corrective_change })));
  return ofShape(shape, { corrective_change, events });
};

const report = ({ shape, version }: ReportVersion): Schema =>
  ofShape(shape, {
    environment: text(),
    ...fromNames(time, 'producer_timestamp'),
    metrics: orNull(list(metric)),
    logs: orNull(list(log)),
    // Version 5 has events instead of resources, so any value of `resources` is valid.
    resources: version < 6 ? anything : orNull(list(status(version < 8 ? statusShapesV7 : statusShapesV8))),
    type: oneOfTexts(['agent', 'plan']),
    resource_events: orNull(list(ofShape(resourceEventShape, { ...ofEvents, corrective_change: anything }))),
  });

const numbered = <V extends { readonly version: number }>(
  name: string,
  versions: Iterable<V>,
  schema: (version: V) => Schema,
): [string, Schema][] => [...versions].map((one) => [`${name} ${one.version}`, schema(one)]);

const sentTimeOrNull = { producer_timestamp: orNull(sentTime) };

export const payloadSchemas = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries([
    ...numbered('replace facts', factsVersions, facts),
    ...numbered('replace catalog', catalogVersions, catalog),
    ...numbered('store report', reportVersions, report),
    ['deactivate node 3', ofShape(deactivationShape, sentTimeOrNull)],
    [
      'configure expiration 1',
      ofShape(expirationShape, { ...sentTimeOrNull, expire: ofShape(expireShape, { facts: flag }) }),
    ],
    [
      'replace catalog inputs 1',
      ofShape(catalogInputsShape, {
        ...sentTimeOrNull,
        catalog_uuid: uuid,
        inputs: orNull(list(tuple('type', 'name'))),
      }),
    ],
  ]);

/** The schema does not describe the elements of its lists, but the reader checks them. */
export const agentReportSchema = (): Schema =>
  ofShape(agentReportShape, {
    resource_statuses: mapOf({ type: 'object' }),
    configuration_version: { anyOf: [text(), { type: 'integer' }] },
    report_format: { enum: [9, '9'] },
    status: oneOfTexts(['failed', 'changed', 'unchanged']),
    ...fromNames(flag, 'noop', 'noop_pending', 'corrective_change'),
    ...fromNames(text(), 'environment', 'code_id', 'master_used'),
    ...fromNames(uuid, 'transaction_uuid', 'catalog_uuid'),
    logs: list({ type: 'object' }),
    metrics: mapOf({ type: 'object' }),
    cached_catalog_status: oneOfTexts(['not_used', 'explicitly_requested', 'on_failure']),
  });
