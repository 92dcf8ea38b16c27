import { excerpt, Fault } from '#fault';

/**
 * Whether an Accept header admits JSON: it is absent, or one of the ranges that it lists is JSON or a wildcard. A wildcard
 * may have a weight, as browsers send it; with weight 0 it admits nothing. `application/json` with any parameter is
 * another type: servers of this interface have always read it so.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return accept.split(',').some((part) => admits(part.trim().toLowerCase()));
}

const wildcard = /^(?:\*|application)\/\*(?:\s*;\s*q=(\d(?:\.\d{0,3})?))?$/;

function admits(range: string): boolean {
  if (range === 'application/json') return true;
  const found = wildcard.exec(range);
  return found !== null && Number(found[1] ?? 1) > 0;
}

/** Throws `http.not-acceptable` (406, text) unless JSON may be sent. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (!acceptsJson(accept)) throw new Fault('unacceptable', 'http.not-acceptable', 'must accept application/json');
}

/** Throws `http.content-type` (415, text) unless the body is declared as JSON (with any charset), or has no declared type. */
export function requireJsonContent(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Fault('unacceptable', 'http.content-type', `content type ${excerpt(contentType)} not supported`, {
      details: { status: 415 },
      // curl declares this type unless it is told another one.
      ...(type === 'application/x-www-form-urlencoded' && { hint: "Send -H 'content-type: application/json'." }),
    });
  }
}
