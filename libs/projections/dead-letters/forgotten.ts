/**
 * SQL assignments for an UPDATE of dead letters. They remove the content, including error texts and headers, because
 * these may quote the payload. They keep the position, so that a rebuild does not list the dead letter again. They also
 * keep whether the record is fatal, so that a rebuild does not read the record.
 */
export const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;
