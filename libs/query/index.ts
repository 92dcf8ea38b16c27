export { type AstJson, isList, isMap, NumberText, stringifyAst } from './ast/json';
export type { Step } from './ast/dotted-name';
export { parseAst } from './ast/parse-ast';
export { goBack } from './http/go-back';
export { asOfParameter } from './http/descriptions/query-parameters';
export type { Moment } from './moment/moment';
export { readMoment } from './moment/read-moment';
export { compileQuery, type QueryRequest } from './compile';
export { describeLanguage } from './describe-language';
export { timestamp } from './kinds/timestamp';
export { parsePql } from './pql';
export { resourceTexts } from './entities/resource-texts';
export {
  describeRemoved,
  earliestHeader,
  earliestOf,
  noHistory,
  type ResolvedMoment,
  resolveMoment,
} from './moment/resolve-moment';
export type { CompileTarget } from './plan/target';
export { QueryModule } from './query.module';
export { noTables, otherSchemaVersion } from './run/database-error';
export { languageOf, type QueryOptions, type QueryRecord, targetOf } from './run/query-options';
export { Permits } from './run/permits';
export type { Snapshot } from './run/snapshot';
export { TableReader, type TableRequest } from './run/table-reader';
export { selectNodes } from './select-nodes';
export * from './sql/fragment';
export { key64, pathKey } from './sql/keys';
export { nodesWithAny } from './sql/leaf';
export { packageVersionKey } from './sql/version';
export { factAt, type LeafKeys } from './sql/tree';
export { rowCells } from './http/row-cells';
export { csvText, ndjsonText } from './http/rows-text';
export { QueryChecker } from './http/query-checker';
export { queryRoot, queryRouteName } from './http/query-route';
export { type FactPath, readFactPath, readNumber, refusedParameter } from './http/endpoint-parameters';
export { readParameters } from './http/endpoint-parameters';
export { tableRequest } from './http/table-request';
export type { RequestParameters } from './http/request-parameters';
