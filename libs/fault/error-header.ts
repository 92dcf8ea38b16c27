/**
 * Header with the code of a fault, on every answer with an error: `X-Nodeledger-Error: query.field`. docs/errors.md
 * lists the codes.
 */
export const errorHeader = 'x-nodeledger-error';
