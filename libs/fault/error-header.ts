/** Every response with an error has this header. The value is the code of the fault, such as `query.field`. */
export const errorHeader = 'x-nodeledger-error';
