export const QUERIES = Symbol('QueryOptions of changes');
