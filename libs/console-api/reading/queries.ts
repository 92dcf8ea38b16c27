/** Injection token of the QueryOptions for requests from the console. */
export const QUERIES = Symbol('QueryOptions of the console');
