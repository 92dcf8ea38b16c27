/**
 * The assignments of an UPDATE that removes the content of a dead letter, including error texts and headers, which may
 * quote the payload. Keeps the position, so that a rebuild does not list the dead letter again. Keeps whether the
 * record is fatal, so that a rebuild does not read the record.
 */
export const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;
