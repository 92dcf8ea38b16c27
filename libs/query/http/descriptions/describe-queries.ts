import {
  type Answer,
  type ApiContext,
  type Description,
  type Example,
  list,
  named,
  type Operation,
  type Parameter,
  type Schema,
  type Tag,
  text,
} from '#openapi';
import { nameOfQuery } from '../query-route';
import { type Route, routes } from '../routes';
import { exampleVariables, furtherExamples } from './query-examples';
import { needsParameters, queryBody, queryParameters, valueInBody, waitFor } from './query-parameters';
import { rowSchemaName, rowSchemas } from './row-schemas';

export function describeQueries(context: ApiContext): Description {
  const served = routes.filter(({ edition }) => edition === undefined || edition === context.edition);
  const operations = served.flatMap((route) => [getOperation(route, context), postOperation(route, context)]);
  const bodies = served.map((route): [string, Schema] => [bodyName(route, context), queryBody(route, context)]);
  return { operations, schemas: { ...rowSchemas(context), ...Object.fromEntries(bodies) } };
}

function getOperation(route: Route, context: ApiContext): Operation {
  const examples = examplesOf(route, context);
  return {
    ...shared(route, context, 'get'),
    parameters: [...pathParameters(route), ...queryParameters(route, context), waitFor],
    ...(examples !== undefined && { examples }),
  };
}

function postOperation(route: Route, context: ApiContext): Operation {
  const examples = examplesOf(route, context);
  return {
    ...shared(route, context, 'post'),
    description:
      'Send the parameters in the body, which can be compressed with gzip. The service ignores parameters in the URL.',
    parameters: [...pathParameters(route), waitFor],
    body: {
      description: `The parameters. The uncompressed body can have at most ${context.limits.queryBodyBytes} bytes.`,
      required: needsParameters(route, context),
      content: { 'application/json': named(bodyName(route, context)) },
    },
    ...(examples !== undefined && { examples: mapValues(examples, (one) => inBody(route, one)) }),
  };
}

function shared(route: Route, context: ApiContext, method: 'get' | 'post') {
  return {
    id: `${method === 'get' ? 'get' : 'query'}${idOf(route)}`,
    path: nameOfQuery(route),
    method,
    tag: tagOf(route),
    summary: summaryOf(route),
    refusals: [
      400,
      ...(route.parent === undefined ? [] : ([404] as const)),
      406,
      ...(method === 'post' ? ([413, 415] as const) : []),
      503,
      504,
    ],
    answers: { 200: answerOf(route, context) },
  } as const satisfies Partial<Operation>;
}

const segments = ({ path }: Route): string[] => (path === '' ? [] : path.split('/'));
const variablesOf = (route: Route): string[] =>
  segments(route).flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []));
const literals = (route: Route): string[] => segments(route).filter((segment) => !segment.startsWith(':'));

const idOf = (route: Route): string =>
  segments(route).length === 0
    ? 'Root'
    : segments(route)
        .map((segment) => (segment.startsWith(':') ? `By-${segment.slice(1)}` : segment))
        .join('-')
        .replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const tagsOf: Readonly<Record<string, Tag>> = {
  nodes: 'nodes',
  facts: 'facts',
  factsets: 'facts',
  'fact-names': 'facts',
  'fact-contents': 'facts',
  'fact-paths': 'facts',
  inventory: 'facts',
  catalogs: 'catalogs',
  resources: 'catalogs',
  edges: 'catalogs',
  'catalog-inputs': 'catalogs',
  'catalog-input-contents': 'catalogs',
  reports: 'reports',
  events: 'reports',
  'event-counts': 'reports',
  'aggregate-event-counts': 'reports',
  environments: 'environments',
  producers: 'producers',
  packages: 'packages',
  'package-inventory': 'packages',
};

function tagOf(route: Route): Tag {
  const [first] = segments(route);
  if (first === undefined) return 'queries';
  const tag = tagsOf[first];
  if (tag === undefined) throw new Error(`no section of the OpenAPI document is for ${first}`);
  return tag;
}

function summaryOf(route: Route): string {
  if (route.entity === undefined) return 'Runs a query in PQL or AST about any entity';
  const what = literals(route).at(-1)!.replaceAll('-', ' ');
  const variables = variablesOf(route);
  if (route.answer === 'record') return `One of the ${what}`;
  const of = variables.length === 0 ? '' : ` of one ${variables.join(', ')}`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${of}`;
}

const variableTexts: Readonly<Record<string, string>> = {
  certname: 'The name of the node.',
  environment: 'The name of the environment.',
  producer: 'The name of the server that sent the data.',
  report: 'The hash of the report.',
  name: 'The name of the fact.',
  value: 'The value of the fact.',
  type: 'The type of the resource, with a capital letter.',
  title: 'The title of the resource. Write a slash in the title as %2F.',
};

const pathParameters = (route: Route): Parameter[] =>
  variablesOf(route).map((name) => ({ name, in: 'path', description: variableTexts[name] ?? name, schema: text() }));

const setNames: Readonly<Record<Route['parameters'], string>> = {
  root: 'RootQuery',
  list: 'Query',
  bare: 'Options',
  events: 'EventsQuery',
  'event-counts': 'EventCountsQuery',
  'aggregate-event-counts': 'AggregateEventCountsQuery',
};

const bodyName = (route: Route, { strict }: ApiContext): string =>
  `${setNames[route.parameters]}${route.answer === 'list' || strict ? '' : 'OfOne'}`;

const momentHeaders: Readonly<Record<string, string>> = {
  'X-Nodeledger-As-Of':
    'Only with as_of: the positions of the log at this time. If a later query sends these positions as as_of, the answer is the same.',
  'X-Nodeledger-As-Of-Time': 'Only with as_of: the time of the data, in ISO 8601.',
  'X-Nodeledger-As-Of-Removed':
    'Only with as_of: data of this time that the service has removed because of age limits, such as `reports before 2026-01-31T12:00:00.000Z`.',
};

function answerOf(route: Route, { strict }: ApiContext): Answer {
  const ofMoment = strict ? {} : { headers: momentHeaders };
  if (route.answer === 'report-part') {
    const content = { 'application/json': named('ReportPart') };
    return { description: 'The part of the report.', ...ofMoment, content };
  }
  const row = route.entity === undefined ? undefined : named(rowSchemaName(route.entity));
  if (route.answer === 'record')
    return { description: 'The record.', ...ofMoment, content: { 'application/json': row ?? true } };
  return {
    description:
      'The rows. The service sends rows while it reads them. If the connection ends early, the answer is incomplete.',
    headers: {
      'X-Records': 'Only with include_total: the number of rows without limit and offset.',
      ...ofMoment.headers,
    },
    content: {
      'application/json': list(row ?? true),
      ...(strict ? {} : { 'application/x-ndjson': lines, 'text/csv': text() }),
    },
  };
}

const lines: Schema = { type: 'string', description: 'One row for each line, as JSON.' };

function examplesOf(route: Route, context: ApiContext): Record<string, Example> | undefined {
  const values = exampleVariables(context.examples);
  const variables = Object.fromEntries(variablesOf(route).map((name) => [name, values[name]!]));
  const further = furtherExamples(route, context);
  if (route.parameters === 'root') return further;
  const needed = route.parameters.endsWith('event-counts') ? { summarize_by: 'containing_class' } : {};
  return {
    all: { summary: 'Without a query', parameters: { ...variables, ...needed } },
    ...mapValues(further, (one) => ({ ...one, parameters: { ...variables, ...needed, ...one.parameters } })),
  };
}

function inBody(route: Route, { summary, parameters = {} }: Example): Example {
  const variables = new Set(variablesOf(route));
  const entries = Object.entries(parameters);
  return {
    summary,
    parameters: Object.fromEntries(entries.filter(([name]) => variables.has(name))),
    body: Object.fromEntries(
      entries.filter(([name]) => !variables.has(name)).map(([name, value]) => [name, valueInBody(name, value)]),
    ),
  };
}

const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
