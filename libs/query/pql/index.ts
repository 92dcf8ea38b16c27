export { parseDatedPql, parsePql, pqlLocation } from './parse-pql';
export { printPql } from './print-pql';
export { pqlEntities } from './entities';
