import { excerpt, Fault } from '#fault';

/**
 * Whether an Accept header admits JSON as servers of this interface have always read it: absent, or one of the types
 * it lists is JSON or a wildcard. Parameters other than weights make a type another type.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return accept.split(',').some((part) => jsonRanges.includes(part.trim().toLowerCase()));
}

const jsonRanges = ['application/json', 'application/*', '*/*'];

/** Throws `http.not-acceptable` (406, text) unless JSON may be sent. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (!acceptsJson(accept)) throw new Fault('unacceptable', 'http.not-acceptable', 'must accept application/json');
}

/** Throws `http.content-type` (415, text) unless a body is declared as JSON, whatever the charset, or not at all. */
export function requireJsonContent(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Fault('unacceptable', 'http.content-type', `content type ${excerpt(contentType)} not supported`, {
      details: { status: 415 },
    });
  }
}
