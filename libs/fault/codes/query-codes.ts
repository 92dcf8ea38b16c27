import { codeTable } from './code-entry';

/** Queries, in both languages. */
export const queryCodes = codeTable({
  'pql.syntax': {
    shows: [400],
    meaning:
      'The text is no PQL query. The answer shows the place up to which it could be read and what could follow there.',
    remedy: 'Correct the query at the place that the answer shows.',
  },
  'query.json': {
    shows: [400],
    meaning: 'The text begins as a JSON query, but it is not valid JSON.',
    remedy: 'Correct the query at the line and column that the answer gives. Strings stand in double quotes.',
  },
  'query.several': {
    shows: [400],
    meaning: 'More JSON follows after the query.',
    remedy: 'Send one query in a request. Combine conditions by `["and", …]` or `["or", …]`.',
  },
  'query.shape': {
    shows: [400],
    meaning: 'A part of the query is not built as its operator needs it.',
    remedy: 'Compare the part that the answer shows with the form that it names.',
  },
  'query.operator': {
    shows: [400],
    meaning: 'There is no such operator, or the field does not have it.',
    remedy: 'Use one of the operators that docs/entities.md lists for the field.',
  },
  'query.arguments': {
    shows: [400],
    meaning: 'An operator or function has too many or too few arguments, or one of a wrong kind.',
    remedy: 'Give it the arguments that the answer names.',
  },
  'query.field': {
    shows: [400],
    meaning: 'The entity has no such field, or not for this use.',
    remedy: 'Use one of the fields that the answer lists.',
  },
  'query.value': {
    shows: [400],
    meaning: 'The value cannot be compared with the field in this way.',
    remedy: 'Give a value of the type of the field (docs/entities.md).',
  },
  'query.entity': {
    shows: [400],
    meaning: 'There is no such entity.',
    remedy: 'Use an entity of docs/entities.md.',
  },
  'query.relation': {
    shows: [400],
    meaning: 'No implicit relation leads from the entity to that of the sub-query.',
    remedy: 'Name the fields that connect them: `["in", field, ["from", entity, ["extract", field]]]`.',
  },
  'query.function': {
    shows: [400],
    meaning: 'There is no such function, or it cannot be used with this field or at this place.',
    remedy: 'Use one of the functions of docs/operators.md, with a field of a type that it takes.',
  },
  'query.group': {
    shows: [400],
    meaning: 'A query with group_by or a function extracts a column that is not the same for all rows of a group.',
    remedy: 'Add the column to group_by, or remove it from extract.',
  },
  'query.paging': {
    shows: [400],
    meaning: 'One of limit, offset and order_by has a value or a form that it cannot have.',
    remedy: 'Give what the answer expects.',
  },
  'query.parameter': {
    shows: [400],
    meaning: 'A parameter of the request is unknown, missing, repeated, or has a value that it cannot have.',
    remedy: 'Correct the parameter that the answer names.',
  },
  'query.counts-filter': {
    shows: [400],
    meaning: 'The parameter counts_filter is no comparison of a count with a number.',
    remedy: 'Write it as `[">", "failures", 0]`.',
  },
  'query.body': {
    shows: [400],
    meaning: 'The body of a POST query is JSON, but not an object of parameters.',
    remedy: 'Send `{"query": […]}`, with other parameters beside the query.',
  },
  'query.method': {
    shows: [400],
    meaning: 'The method of the request is neither GET nor POST.',
    remedy: 'Send the query by GET, or by POST with a JSON body.',
  },
  'query.limit': {
    shows: [400],
    meaning: 'The query is larger than a limit allows.',
    remedy: 'Make the query smaller, or raise the setting that the answer names (docs/limits.md).',
  },
  'query.too-long': {
    shows: [400],
    meaning: 'The query compares with more values than a statement of PostgreSQL can have parameters.',
    remedy: 'Split the query into several.',
  },
  'query.refused': {
    shows: [400],
    meaning: 'PostgreSQL refuses a value or a regular expression of the query; the answer has its words.',
    remedy: 'Correct that value. Regular expressions are those of PostgreSQL.',
  },
  'query.record': {
    shows: [404],
    meaning: 'Nothing is known about the node, environment, report or other record that the path names.',
    remedy: 'Check the name. It may be stored later, or it was deleted.',
  },
  'query.wait-for': {
    shows: [400],
    meaning: 'The header X-Nodeledger-Wait-For does not name positions of this log.',
    remedy: 'Give the X-Nodeledger-Position of the answer to a command, as it is.',
  },
  'query.late': {
    shows: [504],
    meaning: 'The read tables did not reach the positions of X-Nodeledger-Wait-For in time.',
    remedy: 'Ask again. If it lasts, see the alerts of the status: the projector may wait for something.',
  },
  'query.crowded': {
    shows: [503],
    meaning: 'So many queries run or wait, in all or from this address, that there is no room for another one.',
    remedy:
      'Ask again after the seconds of Retry-After. If it lasts, send fewer queries at once, or raise the setting that the answer names.',
  },
  'query.timeout': {
    shows: [500],
    meaning: 'The query took longer than its parameter timeout or NODELEDGER_QUERY_TIMEOUT allows.',
    remedy: 'Narrow the query, ask for fewer rows, or raise the timeout.',
  },
  'query.stalled': {
    shows: [500],
    meaning: 'The client read almost nothing of its answer while other queries waited for its place.',
    remedy: 'Read the answer as it arrives, and process it afterwards.',
  },
  'query.gone': {
    shows: ['service log'],
    meaning: 'The client closed the connection before the answer to its query was complete.',
    remedy: 'Nothing. If it happens often, look for a timeout of the client or of a proxy that is too short.',
  },
  'query.stopping': {
    shows: [503],
    meaning: 'The service is stopping and begins no more queries.',
    remedy: 'Ask again when it runs, or ask another process.',
  },
  'query.database-busy': {
    shows: [503],
    meaning: 'PostgreSQL has ended the statement for a reason that passes, such as a restart.',
    remedy: 'Ask again in a moment.',
  },
  'query.no-tables': {
    shows: [503],
    meaning: 'There are no read tables yet, or they are being replaced again and again.',
    remedy: 'Wait until a projector has made them; the log of the service says how far it is.',
  },
  'query.other-form': {
    shows: [503],
    meaning: 'The read tables were made by another version of the program.',
    remedy: 'Follow the hint of the answer: start the newer program, or a projector of this one.',
  },
});
