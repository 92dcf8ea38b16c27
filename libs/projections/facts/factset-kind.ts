import type { WireFactset } from '#wire';
import type { DocumentKind } from '../document-kind';
import { foldFactset } from '../fold';
import { isOfTime } from '../stored/stored-check';

/** Bytes of memory for each element of a factset with its rows, measured and rounded up. */
const bytesOf = { leaf: 600, pathElement: 30, pathCharacter: 8, package: 400 };

export const factsetKind: DocumentKind<WireFactset> = {
  readStep: 'read_facts',
  replaces: true,
  apply(facts, { state, record, receivedAt, parts }) {
    const { factsEnvironment } = state.row;
    if (!foldFactset(state, facts, receivedAt)) return 'ignored';
    parts.facts.add(state, facts, receivedAt, record, factsEnvironment !== facts.environment);
    parts.packages.add(state, facts, record);
    return state.factDigest === undefined ? 'added' : 'applied';
  },
  weigh: ({ size: { leaves, pathElements, pathCharacters }, packageCount }) =>
    leaves * bytesOf.leaf +
    pathElements * bytesOf.pathElement +
    pathCharacters * bytesOf.pathCharacter +
    packageCount * bytesOf.package,
  stored: {
    mayBe: (given, { factsAt }) => isOfTime(given, factsAt),
    // The certname, the environment, the values and the packages are not compared separately, because the hash includes
    // them.
    is: (facts, node) =>
      facts.producerTimestamp === node.factsAt &&
      facts.hash === node.factsHash &&
      facts.producer === node.factsProducer,
  },
};
