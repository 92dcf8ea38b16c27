export const QUERIES = Symbol('QueryOptions of the console');
