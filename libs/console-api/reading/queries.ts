/** Injection token of the QueryOptions with which the console reads. */
export const QUERIES = Symbol('QueryOptions of the console');
