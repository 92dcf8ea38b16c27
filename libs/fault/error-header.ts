/**
 * Name of the header with the code of a fault, such as `X-Nodeledger-Error: query.field`. Every answer with an error
 * has this header. docs/errors.md lists the codes.
 */
export const errorHeader = 'x-nodeledger-error';
