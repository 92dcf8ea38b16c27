export { parseDatedPql, parsePql, pqlLocation } from './parse-pql';
export { pqlEntities } from './entities';
