/** Injection token of the QueryOptions with which questions about changes are read. */
export const QUERIES = Symbol('QueryOptions of changes');
