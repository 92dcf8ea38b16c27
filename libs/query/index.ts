export { compileQuery, type QueryRequest } from './compile';
export { parsePql } from './pql';
export type { CompileTarget } from './plan/target';
export { QueryModule } from './query.module';
export type { QueryOptions, QueryRecord } from './run/query-options';
export { Places } from './run/places';
export { rowCells } from './http/row-cells';
export { csvText, ndjsonText } from './http/rows-text';
export { queryRoot, queryRouteName } from './http/query-route';
