/** Carries the code of a fault on every answer that is one: `X-Nodeledger-Error: query.field`. docs/errors.md lists the codes. */
export const errorHeader = 'x-nodeledger-error';
