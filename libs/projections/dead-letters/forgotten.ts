/**
 * SQL assignments that remove the content of a dead letter. Error texts and headers are also removed, because they can
 * quote the payload. The position remains, so that a rebuild does not list the dead letter again. The exception of a
 * fatal record remains, so that a rebuild does not read the record.
 */
export const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;
