export { parsePql } from './parse-pql';
export { printPql } from './print-pql';
export { pqlEntities, pqlFunctions } from './entities';
