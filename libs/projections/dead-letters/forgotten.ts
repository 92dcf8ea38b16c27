/**
 * The assignments of an UPDATE that removes the content of a letter. Error texts and headers may quote the payload. Keeps the
 * position, so that a rebuild does not list the letter again, and whether its record is fatal, so that a rebuild does not read
 * it.
 */
export const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;
