import { excerpt, Fault } from '#fault';

/**
 * Returns whether the client accepts JSON. The header must be absent, or contain JSON or a wildcard with a weight above
 * 0. As in PuppetDB, `application/json` with a parameter counts as another type.
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

export function requireJsonAccepted(accept: string | undefined): void {
  if (!acceptsJson(accept)) throw new Fault('unacceptable', 'http.not-acceptable', 'must accept application/json');
}

/**
 * Throws `http.content-type` (415) if the declared type of the body is not JSON. Any charset is allowed, and the type
 * can be missing.
 */
export function requireJsonContent(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Fault('unacceptable', 'http.content-type', `content type ${excerpt(contentType)} not supported`, {
      details: { status: 415 },
      // curl sends this type unless an option sets another one.
      ...(type === 'application/x-www-form-urlencoded' && { hint: "Send -H 'content-type: application/json'." }),
    });
  }
}
