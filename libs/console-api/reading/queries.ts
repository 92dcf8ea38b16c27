/** Injection token of the QueryOptions for requests of the console. */
export const QUERIES = Symbol('QueryOptions of the console');
