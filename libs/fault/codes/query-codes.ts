import { codeTable } from './code-entry';

export const queryCodes = codeTable({
  'pql.syntax': {
    shows: [400],
    meaning:
      'The text is not a valid PQL query. The message shows the position of the error and the text that PQL expects at this position.',
    remedy: 'Correct the query at the position that the message shows.',
  },
  'query.json': {
    shows: [400],
    meaning: 'The text begins like a JSON query, but is not valid JSON.',
    remedy: 'Correct the query at the line and column that the message shows. Write strings in double quotes.',
  },
  'query.several': {
    shows: [400],
    meaning: 'The text contains another JSON value after the query.',
    remedy: 'Send one query per request. Combine conditions with `["and", …]` or `["or", …]`.',
  },
  'query.shape': {
    shows: [400],
    meaning: 'A part of the query does not have the form that the operator of this part requires.',
    remedy: 'Correct the part of the query that the message shows. The message also describes the required form.',
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
    meaning:
      'There is no implicit relation: the service does not know which fields connect the entity of the query with the entity of the sub-query.',
    remedy: 'Specify the fields in the query: `["in", field, ["from", entity, ["extract", field]]]`.',
  },
  'query.function': {
    shows: [400],
    meaning: 'The function does not exist, or you cannot use it with this field or in this part of the query.',
    remedy: 'Use one of the functions in docs/operators.md, with a field of a type that the function accepts.',
  },
  'query.group': {
    shows: [400],
    meaning:
      'A query with group_by or an aggregate function extracts another column. The value of this column can differ between the rows of a group.',
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
    remedy: 'Write the comparison in the form `[">", "failures", 0]`.',
  },
  'query.body': {
    shows: [400],
    meaning: 'The body of a POST query is JSON, but not an object of parameters.',
    remedy: 'Send `{"query": […]}`. Add other parameters as further keys of the object.',
  },
  'query.method': {
    shows: [400],
    meaning: 'The method of the request is neither GET nor POST.',
    remedy: 'Use GET, or POST with a JSON body.',
  },
  'query.limit': {
    shows: [400],
    meaning: 'The query exceeds a limit.',
    remedy: 'Send a smaller query, or raise the setting that the message names (docs/limits.md).',
  },
  'query.too-long': {
    shows: [400],
    meaning: 'The query has too many values. PostgreSQL limits the number of parameters of a statement.',
    remedy: 'Split the query into several queries.',
  },
  'query.refused': {
    shows: [400],
    meaning: 'PostgreSQL refuses a value or a regular expression of the query. The message contains the reason.',
    remedy: 'Correct the value. Regular expressions use the syntax of PostgreSQL.',
  },
  'query.record': {
    shows: [404],
    meaning: 'The node, environment, report or other record in the path does not exist.',
    remedy: 'Check the spelling. Possibly the record is not stored yet, or the service has deleted it.',
  },
  'query.wait-for': {
    shows: [400],
    meaning: 'The header X-Nodeledger-Wait-For does not contain positions of this log.',
    remedy: 'Copy the header X-Nodeledger-Position from the answer to a command, without changes.',
  },
  'query.as-of': {
    shows: [400],
    meaning: 'The value of `as_of` is not a time, a relative time or a list of positions of this log.',
    remedy: 'Correct the parameter `as_of`, or the text after `as of` in PQL. The message shows the valid forms.',
  },
  'query.as-of-future': {
    shows: [400],
    meaning: 'The value of `as_of` is a future time, or a position after the last record that the tables contain.',
    remedy:
      'Send an earlier time. If you sent a position, repeat the query when the projector has applied the record at this position.',
  },
  'query.as-of-early': {
    shows: [400],
    meaning: 'The value of `as_of` is earlier than the history of the tables.',
    remedy:
      'Send a later time. The message and the header X-Nodeledger-Earliest contain the earliest possible time. To keep a longer history from now on, raise NODELEDGER_HISTORY.',
  },
  'query.no-history': {
    shows: [400],
    meaning: 'The query has `as_of`, but the tables keep no history.',
    remedy:
      'Set NODELEDGER_HISTORY for the process with the projector, and restart the process. The history begins at this restart.',
  },
  'query.late': {
    shows: [504],
    meaning: 'The read tables did not reach the positions of X-Nodeledger-Wait-For in time.',
    remedy:
      'Retry the query. If the problem lasts, check the alerts of the status. The projector may be waiting for the database or the log.',
  },
  'query.crowded': {
    shows: [503],
    meaning: 'Too many queries of all clients, or of this client address, run or wait.',
    remedy:
      'Wait for the time in the header Retry-After, then retry the query. If the problem lasts, send fewer queries at once, or raise the setting that the message names.',
  },
  'query.timeout': {
    shows: [500],
    meaning: 'The query took longer than its parameter `timeout` or the setting NODELEDGER_QUERY_TIMEOUT allows.',
    remedy: 'Add conditions to the query, request fewer rows, or raise the limit.',
  },
  'query.stalled': {
    shows: [500],
    meaning:
      'The client read the answer too slowly while other queries waited for a permit to run. So the service ended the query.',
    remedy: 'Change the client: it must read the whole answer without pauses, and process the data afterwards.',
  },
  'query.gone': {
    shows: ['service log'],
    meaning: 'The client closed the connection before the answer to its query was complete.',
    remedy:
      'No action is needed. If it happens often, check whether a timeout of the client or of a proxy is too short.',
  },
  'query.stopping': {
    shows: [503],
    meaning: 'The service is stopping, so it refuses new queries.',
    remedy: 'Retry when the service has started again, or send the query to another process.',
  },
  'query.database-busy': {
    shows: [503],
    meaning: 'PostgreSQL ended the statement for a temporary reason, such as a restart.',
    remedy: 'Retry the query after a short time.',
  },
  'query.no-tables': {
    shows: [503],
    meaning: 'The read tables do not exist yet, or the service has replaced them several times during the query.',
    remedy: 'Wait until a projector has built the tables. The service logs the progress.',
  },
  'query.other-form': {
    shows: [503],
    meaning: 'Another release created the read tables.',
    remedy:
      'If the hint names a newer release, start the newer release. Otherwise start a projector of this release, which rebuilds the tables.',
  },
});
