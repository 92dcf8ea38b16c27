/**
 * SQL assignments that remove the content of a dead letter. The position and the exception of a fatal record remain, so
 * that a rebuild neither lists the dead letter again nor reads the record.
 */
export const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;
