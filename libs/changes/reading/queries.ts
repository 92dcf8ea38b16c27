/** Injection token of the QueryOptions for questions about changes. */
export const QUERIES = Symbol('QueryOptions of changes');
