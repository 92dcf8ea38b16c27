import { codeTable } from './code-entry';

export const queryCodes = codeTable({
  'pql.syntax': {
    shows: [400],
    meaning:
      'The text is not a valid PQL query. The message shows the position of the error and what is expected there.',
    remedy: 'Correct the query at the position that the message shows.',
  },
  'query.json': {
    shows: [400],
    meaning: 'The text begins like a JSON query, but is not valid JSON.',
    remedy: 'Correct the query at the line and column that the message shows. Write strings in double quotes.',
  },
  'query.several': {
    shows: [400],
    meaning: 'The text contains more JSON after the query.',
    remedy: 'Send one query per request. Combine conditions with `["and", …]` or `["or", …]`.',
  },
  'query.shape': {
    shows: [400],
    meaning: 'A part of the query does not have the form that its operator requires.',
    remedy: 'Write the part of the query that the message shows in the form that the message describes.',
  },
  'query.operator': {
    shows: [400],
    meaning: 'The operator does not exist, or the field does not support it.',
    remedy: 'Use one of the operators that docs/entities.md lists for the field.',
  },
  'query.arguments': {
    shows: [400],
    meaning: 'An operator or function has too many or too few arguments, or an argument of the wrong type.',
    remedy: 'Use the arguments that the message describes.',
  },
  'query.field': {
    shows: [400],
    meaning: 'The entity does not have this field, or you cannot use the field in this way.',
    remedy: 'Use one of the fields that the message lists.',
  },
  'query.value': {
    shows: [400],
    meaning: 'The field cannot be compared with this value in this way.',
    remedy: 'Use a value of the type of the field (docs/entities.md).',
  },
  'query.entity': {
    shows: [400],
    meaning: 'The entity does not exist.',
    remedy: 'Use one of the entities in docs/entities.md.',
  },
  'query.relation': {
    shows: [400],
    meaning: 'There is no implicit relation between the entity and the entity of the sub-query.',
    remedy: 'Name the fields that connect them: `["in", field, ["from", entity, ["extract", field]]]`.',
  },
  'query.function': {
    shows: [400],
    meaning: 'The function does not exist, or you cannot use it with this field or at this place.',
    remedy: 'Use one of the functions in docs/operators.md, with a field of a type that it accepts.',
  },
  'query.group': {
    shows: [400],
    meaning: 'A query with group_by or a function extracts a column that is not the same for all rows of a group.',
    remedy: 'Add the column to group_by, or remove it from extract.',
  },
  'query.paging': {
    shows: [400],
    meaning: 'The value of limit, offset or order_by is not valid.',
    remedy: 'Use a value in the format that the message describes.',
  },
  'query.parameter': {
    shows: [400],
    meaning: 'A parameter of the request is unknown, missing, repeated, or has an invalid value.',
    remedy: 'Correct the parameter that the message names.',
  },
  'query.counts-filter': {
    shows: [400],
    meaning: 'The parameter counts_filter is not a comparison of a count with a number.',
    remedy: 'Write it as `[">", "failures", 0]`.',
  },
  'query.body': {
    shows: [400],
    meaning: 'The body of a POST query is JSON, but not an object of parameters.',
    remedy: 'Send `{"query": […]}`, with other parameters as further keys of the object.',
  },
  'query.method': {
    shows: [400],
    meaning: 'The method of the request is neither GET nor POST.',
    remedy: 'Use GET, or POST with a JSON body.',
  },
  'query.limit': {
    shows: [400],
    meaning: 'The query exceeds a limit.',
    remedy: 'Use a smaller query, or increase the setting that the message names (docs/limits.md).',
  },
  'query.too-long': {
    shows: [400],
    meaning: 'The query has more values than PostgreSQL allows parameters in a statement.',
    remedy: 'Split the query into several.',
  },
  'query.refused': {
    shows: [400],
    meaning: 'PostgreSQL refuses a value or a regular expression of the query. The message contains the reason.',
    remedy: 'Correct the value. Regular expressions use the syntax of PostgreSQL.',
  },
  'query.record': {
    shows: [404],
    meaning: 'The node, environment, report or other record in the path does not exist.',
    remedy: 'Check the name. The record may not be stored yet, or may have been deleted.',
  },
  'query.wait-for': {
    shows: [400],
    meaning: 'The header X-Nodeledger-Wait-For does not name positions of this log.',
    remedy: 'Send the unchanged value of X-Nodeledger-Position from the answer to a command.',
  },
  'query.as-of': {
    shows: [400],
    meaning: 'The moment of the query is neither a time, nor a relative time, nor positions of this log.',
    remedy: 'Correct as_of, or the text after `as of` in PQL. The message shows which forms exist.',
  },
  'query.as-of-future': {
    shows: [400],
    meaning:
      'The moment of the query is in the future, or its positions are after the last record that the tables contain.',
    remedy: 'Ask about an earlier moment. Send positions again when the projector has applied the records up to there.',
  },
  'query.as-of-early': {
    shows: [400],
    meaning: 'The moment of the query is before the earliest one that can be asked.',
    remedy:
      'Ask about a later moment. The message and the header X-Nodeledger-Earliest have the earliest one. Raise NODELEDGER_HISTORY to keep a longer past from now on.',
  },
  'query.no-history': {
    shows: [400],
    meaning: 'The query names a moment of the past, but the tables keep no history.',
    remedy: 'Set NODELEDGER_HISTORY on the projector. The history begins at that time.',
  },
  'query.late': {
    shows: [504],
    meaning: 'The read tables did not reach the positions of X-Nodeledger-Wait-For in time.',
    remedy:
      'Retry the query. If the problem lasts, check the alerts of the status: the projector may be waiting for something.',
  },
  'query.crowded': {
    shows: [503],
    meaning: 'Too many queries are running or waiting, in total or from this address.',
    remedy:
      'Wait for the time given in the Retry-After header and retry. If the problem persists, run fewer queries at once, or increase the setting that the message names.',
  },
  'query.timeout': {
    shows: [500],
    meaning: 'The query took longer than its parameter timeout or NODELEDGER_QUERY_TIMEOUT allows.',
    remedy: 'Make the query more selective, request fewer rows, or raise the timeout.',
  },
  'query.stalled': {
    shows: [500],
    meaning: 'The client read its answer too slowly while other queries waited for its place.',
    remedy: 'Read the answer as it arrives, and process it afterwards.',
  },
  'query.gone': {
    shows: ['service log'],
    meaning: 'The client closed the connection before the answer to its query was complete.',
    remedy:
      'No action is needed. If it happens often, check whether a timeout of the client or of a proxy is too short.',
  },
  'query.stopping': {
    shows: [503],
    meaning: 'The service is stopping and starts no more queries.',
    remedy: 'Retry when the service has started again, or send the query to another process.',
  },
  'query.database-busy': {
    shows: [503],
    meaning: 'PostgreSQL ended the statement for a temporary reason, such as a restart.',
    remedy: 'Retry the query after a short time.',
  },
  'query.no-tables': {
    shows: [503],
    meaning: 'The read tables do not exist yet, or are being replaced repeatedly.',
    remedy: 'Wait until a projector has built them. The log of the service shows its progress.',
  },
  'query.other-form': {
    shows: [503],
    meaning: 'Another release created the read tables.',
    remedy:
      'If the hint names a newer release, start that release. Otherwise start a projector of this release, which rebuilds the tables.',
  },
});
