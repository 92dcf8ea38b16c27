/**
 * JSON Schemas of the payloads of commands, for the OpenAPI document. The shapes of the readers provide the members and
 * which of them are required. This file adds the type of each member.
 */
import { anything, flag, integer, list, mapOf, object, oneOfTexts, orNull, type Schema, text, time } from '#openapi';
import { agentReportShape } from '../agent-report/read-agent-report';
import { edgeEndShape, edgeShape, relationships } from '../catalog/edges';
import { resourceShape } from '../catalog/resources';
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
const line = orNull(integer);

function ofShape<K extends string>(shape: Shape<K>, types: Readonly<Record<K, Schema>>): Schema {
  const properties = Object.fromEntries(shape.names.map((name): [string, Schema] => [name, types[name]]));
  const spellings = new Map(shape.names.map((name): [K, string[]] => [name, [name]]));
  for (const [alias, place] of shape.places) {
    const name = shape.names[place]!;
    if (alias === name) continue;
    properties[alias] = types[name];
    spellings.get(name)!.push(alias);
  }
  const needed = shape.names.filter((_, place) => shape.required[place]).map((name) => spellings.get(name)!);
  const [only, several] = [needed.filter(({ length }) => length === 1), needed.filter(({ length }) => length > 1)];
  const written = object(properties, { required: only.flat(), open: shape.open }) as object;
  if (several.length === 0) return written as Schema;
  return { ...written, allOf: several.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })) };
}

const facts = ({ shape, version }: FactsVersion): Schema =>
  ofShape(shape, {
    certname: text(),
    environment: orNull(text()),
    producer_timestamp: sentTime,
    // Version 4 has no producer.
    producer: version < 5 ? anything : orNull(text()),
    values: { ...(mapOf(anything) as object), description: 'The facts by name. A value is any JSON value.' },
    package_inventory: orNull(
      list({
        type: 'array',
        prefixItems: [text('The name.'), text('The version.'), text('The provider.')],
        items: false,
        minItems: 3,
      }),
    ),
    timestamp: anything,
  });

const resource = ofShape(resourceShape, {
  type: text(),
  title: text(),
  exported: flag,
  tags: texts,
  file: { anyOf: [text(), { type: 'number' }, { type: 'null' }] },
  line,
  parameters: orNull(mapOf(anything)),
});

const edgeEnd = ofShape(edgeEndShape, { type: text(), title: text() });
const edge = ofShape(edgeShape, {
  source: edgeEnd,
  target: edgeEnd,
  relationship: oneOfTexts([...relationships]),
});

const log = ofShape(logShape, {
  file: orNull(text()),
  line,
  level: text(),
  message: text(),
  source: text(),
  tags: orNull(texts),
  time,
});
const metric = ofShape(metricShape, { category: text(), name: text(), value: { type: 'number' } });

const eventTypes = {
  status: text(),
  timestamp: time,
  property: orNull(text()),
  new_value: anything,
  old_value: anything,
  message: orNull(text()),
  name: orNull(text()),
};
const statusTypes = {
  resource_type: text(),
  resource_title: text(),
  file: orNull(text()),
  line,
  containment_path: orNull(texts),
};

/** Ignores `corrective_change` in versions before 8. */
const status = ({ status: shape, event, correctiveChange }: StatusShapes): Schema => {
  const corrective = correctiveChange ? orNull(flag) : anything;
  return ofShape(shape, {
    ...statusTypes,
    skipped: flag,
    timestamp: time,
    corrective_change: corrective,
    events: orNull(list(ofShape(event, { ...eventTypes, corrective_change: corrective }))),
  });
};

const report = ({ shape, version }: ReportVersion, resources: Schema): Schema =>
  ofShape(shape, {
    certname: text(),
    environment: text(),
    puppet_version: text(),
    report_format: integer,
    configuration_version: text(),
    start_time: time,
    end_time: time,
    producer_timestamp: time,
    transaction_uuid: orNull(uuid),
    status: orNull(text()),
    noop: orNull(flag),
    metrics: orNull(list(metric)),
    logs: orNull(list(log)),
    producer: orNull(text()),
    noop_pending: orNull(flag),
    corrective_change: orNull(flag),
    // Version 5 has events instead.
    resources: version < 6 ? anything : orNull(list(resources)),
    catalog_uuid: orNull(uuid),
    code_id: orNull(text()),
    cached_catalog_status: orNull(text()),
    job_id: orNull(text()),
    type: oneOfTexts(['agent', 'plan']),
    resource_events: orNull(
      list(ofShape(resourceEventShape, { ...eventTypes, ...statusTypes, corrective_change: anything })),
    ),
  });

const numbered = <V extends { readonly version: number }>(
  name: string,
  versions: Iterable<V>,
  schema: (version: V) => Schema,
): [string, Schema][] => [...versions].map((one) => [`${name} ${one.version}`, schema(one)]);

const statusesOf = ({ version }: ReportVersion): Schema => status(version < 8 ? statusShapesV7 : statusShapesV8);

/** By command and version, such as `replace facts 5`. */
export const payloadSchemas = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries([
    ...numbered('replace facts', factsVersions, facts),
    ...numbered('replace catalog', catalogVersions, ({ shape }) =>
      ofShape(shape, {
        certname: text(),
        version: text(),
        environment: orNull(text()),
        transaction_uuid: orNull(uuid),
        catalog_uuid: orNull(uuid),
        code_id: orNull(text()),
        job_id: orNull(text()),
        producer: orNull(text()),
        producer_timestamp: sentTime,
        edges: list(edge),
        resources: list(resource),
      }),
    ),
    ...numbered('store report', reportVersions, (one) => report(one, statusesOf(one))),
    ['deactivate node 3', ofShape(deactivationShape, { certname: text(), producer_timestamp: orNull(sentTime) })],
    [
      'configure expiration 1',
      ofShape(expirationShape, {
        certname: text(),
        producer_timestamp: orNull(sentTime),
        expire: ofShape(expireShape, { facts: flag }),
      }),
    ],
    [
      'replace catalog inputs 1',
      ofShape(catalogInputsShape, {
        certname: text(),
        catalog_uuid: uuid,
        producer_timestamp: orNull(sentTime),
        inputs: orNull(
          list({ type: 'array', prefixItems: [text('The type.'), text('The name.')], items: false, minItems: 2 }),
        ),
      }),
    ],
  ]);

/**
 * Schema of an agent's report. The reader also checks the elements of its lists, which the schema does not describe.
 */
export const agentReportSchema = (): Schema =>
  ofShape(agentReportShape, {
    host: text(),
    time,
    resource_statuses: mapOf({ type: 'object' }),
    configuration_version: { anyOf: [text(), { type: 'integer' }] },
    report_format: { enum: [9, '9'] },
    agent_version: text(),
    status: oneOfTexts(['failed', 'changed', 'unchanged']),
    transaction_completed: flag,
    noop: flag,
    noop_pending: flag,
    environment: text(),
    logs: list({ type: 'object' }),
    metrics: mapOf({ type: 'object' }),
    transaction_uuid: uuid,
    code_id: text(),
    job_id: orNull(text()),
    catalog_uuid: uuid,
    cached_catalog_status: oneOfTexts(['not_used', 'explicitly_requested', 'on_failure']),
    master_used: text(),
    corrective_change: flag,
  });
