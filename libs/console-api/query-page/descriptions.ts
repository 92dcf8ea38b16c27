import { flag, inJson, integer, list, object, type Operation, orNull, text } from '#openapi';

const mistake = object({
  line: orNull(integer),
  column: orNull(integer),
  length: integer,
  code: text(),
  message: text(),
  hint: orNull(text()),
  instead: orNull(text()),
});

export const queryCheck: Operation = {
  id: 'checkQuery',
  tag: 'console',
  summary: 'Checks a query, and finds the position of a mistake',
  description:
    'The query is PQL, or a JSON list that begins with `from`. The service does not run the query. `instead` is a valid name that is similar to the word at the position of the mistake.',
  body: inJson('The query.', object({ query: text() })),
  refusals: [400, 413, 415, 503],
  answers: {
    200: inJson('The result. `errors` contains the first mistake.', object({ ok: flag, errors: list(mistake) })),
  },
  examples: {
    right: { summary: 'A correct query', body: { query: 'nodes { certname ~ "web" }' } },
    wrong: { summary: 'A field that does not exist', body: { query: 'nodes { certnme = "web" }' } },
  },
};

const named = { name: text(), summary: text(), example: text() };

export const queryLanguage: Operation = {
  id: 'getQueryLanguage',
  tag: 'console',
  summary: 'The entities, fields, operators and functions of queries',
  description:
    'Editors use the answer to complete names. `uses` lists the uses of a field: ask (in conditions), show (in answers) and order.',
  answers: {
    200: inJson(
      'The language.',
      object({
        entities: list(
          object({
            name: text(),
            pql: flag,
            fields: list(object({ name: text(), kind: text(), uses: list(text()), operators: list(text()) })),
          }),
        ),
        dotted: list(text()),
        operators: list(object({ ...named, pql: list(text()) })),
        functions: list(object({ ...named, aggregate: flag })),
        words: list(text()),
      }),
    ),
    304: { description: 'The client already has the current answer.' },
  },
  examples: { language: { summary: 'The language' } },
};
