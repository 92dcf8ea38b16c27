import { type ApiContext, flag, integer, list, object, oneOfTexts, type Parameter, type Schema, text } from '#openapi';
import { addedParameters, allowedParameters, type ParameterName, requiredParameters } from '../allowed-parameters';
import { answerFormats } from '../answer-format';
import { subjectTypes } from '../../plan/plan-event-counts';
import { countable } from '../count-options';
import type { ParameterSet, Route } from '../routes';
import { waitForHeader } from '../wait-for';

interface Meaning {
  readonly description: string;
  readonly schema: Schema;
  readonly inBody?: Schema;
}

const isTrue = (description: string): Meaning => ({ description, schema: flag });
const ignored = 'The service accepts this parameter for existing clients, and ignores it.';
const json = (description: string, inBody: Schema): Meaning => ({ description, schema: text(), inBody });

const meanings: Readonly<Record<ParameterName, Meaning>> = {
  query: json('The query as a JSON array (AST). Without a query, the answer contains all rows.', {
    anyOf: [{ type: 'array' }, text(), { type: 'null' }],
  }),
  limit: { description: 'The maximum number of rows in the answer.', schema: { type: 'integer', minimum: 1 } },
  offset: { description: 'The number of rows to skip.', schema: { type: 'integer', minimum: 0 } },
  order_by: json(
    'The sort order: a JSON array of objects with `field` and `order` (`asc` or `desc`).',
    list(object({ field: true, order: text() }, { required: ['field'] })),
  ),
  include_total: isTrue('If true, the header X-Records contains the number of rows without limit and offset.'),
  pretty: isTrue('If true, the JSON is indented.'),
  origin: { description: 'A name for the client, which the service writes to the query log.', schema: text() },
  timeout: {
    description:
      'The maximum duration of the query, in seconds. The parameter can only shorten NODELEDGER_QUERY_TIMEOUT.',
    schema: integer,
  },
  explain: {
    description: "With this parameter, the answer contains PostgreSQL's plan of the query instead of rows.",
    schema: oneOfTexts(['analyze']),
  },
  include_facts_expiration: isTrue('If true, rows of nodes have the columns expires_facts and expires_facts_updated.'),
  include_package_inventory: isTrue('If true, rows of factsets have the column package_inventory.'),
  optimize_drop_unused_joins: { description: ignored, schema: text() },
  ast_only: isTrue('If true, the answer is the query as JSON (AST), and the service does not run the query.'),
  as_of: {
    description:
      'The answer contains the data of this time. The value is a time such as `2026-01-31T12:00:00Z`, a relative time such as ' +
      '`2 days ago`, `yesterday` or `now() - 2h`, or the value of the header X-Nodeledger-As-Of of an earlier answer.',
    schema: text(),
  },
  format: {
    description:
      'The format of the answer. With this parameter, the service ignores the header Accept. `spreadsheet` is CSV without formulas: ' +
      'texts such as `=1+1` begin with an apostrophe.',
    schema: oneOfTexts(Object.keys(answerFormats)),
  },
  distinct_resources: isTrue(
    'If true, the answer contains only the newest event of each property of a resource in the period.',
  ),
  distinct_start_time: { description: 'Only with distinct_resources: the beginning of the period.', schema: text() },
  distinct_end_time: { description: 'Only with distinct_resources: the end of the period.', schema: text() },
  summarize_by: { description: 'The subject of the counts.', schema: oneOfTexts(subjectTypes) },
  count_by: { description: 'The objects that the service counts.', schema: oneOfTexts(countable) },
  counts_filter: json('A condition on the counts, such as [">", "failures", 0].', { type: 'array' }),
};

const rootQuery: Meaning = {
  description: 'A query in PQL, or a JSON array (AST) that begins with "from".',
  schema: text(),
  inBody: { anyOf: [text(), { type: 'array' }] },
};
const severalSubjects: Meaning = {
  description: `The subjects of the counts: one or more of ${subjectTypes.join(', ')}, separated by commas.`,
  schema: text(),
};

function meaningOf(name: ParameterName, set: ParameterSet): Meaning {
  if (name === 'query' && set === 'root') return rootQuery;
  return name === 'summarize_by' && set === 'aggregate-event-counts' ? severalSubjects : meanings[name];
}

const namesOf = ({ parameters, answer }: Route, { strict }: ApiContext): ParameterName[] => [
  ...allowedParameters[parameters],
  ...addedParameters(answer, () => !strict),
];

const isRequired = (name: ParameterName, set: ParameterSet): boolean =>
  (set === 'root' && name === 'query') || (requiredParameters[set] ?? []).includes(name);

export const needsParameters = (route: Route, context: ApiContext): boolean =>
  namesOf(route, context).some((name) => isRequired(name, route.parameters));

export const queryParameters = (route: Route, context: ApiContext): Parameter[] =>
  namesOf(route, context).map((name) => {
    const { description, schema } = meaningOf(name, route.parameters);
    return { name, in: 'query', description, schema, ...(isRequired(name, route.parameters) && { required: true }) };
  });

export const asOfParameter: Parameter = { name: 'as_of', in: 'query', ...meanings.as_of };

/**
 * Converts the example of a URL parameter to the form that the parameter has in a body, where JSON text becomes parsed
 * JSON.
 */
export const valueInBody = (name: string, value: string | number | boolean): unknown =>
  meanings[name as ParameterName].inBody !== undefined && typeof value === 'string' && value.startsWith('[')
    ? (JSON.parse(value) as unknown)
    : value;

/** Numbers and booleans in the body of a POST can also be sent as text. */
export function queryBody(route: Route, context: ApiContext): Schema {
  const names = namesOf(route, context);
  const properties = names.map((name): [string, Schema] => {
    const { schema, inBody, description } = meaningOf(name, route.parameters);
    return [name, { ...((inBody ?? orText(schema)) as object), description }];
  });
  return object(Object.fromEntries(properties), {
    required: names.filter((name) => isRequired(name, route.parameters)),
  });
}

const orText = (schema: Schema): Schema =>
  typeof schema === 'object' && schema['type'] === 'string' ? schema : { anyOf: [schema, text()] };

export const waitFor: Parameter = {
  name: waitForHeader.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  in: 'header',
  description: 'Positions of commands, separated by commas. The service waits until the tables include these commands.',
  schema: text(),
};
