import type { WireCatalog } from '#wire';
import type { DocumentKind } from '../document-kind';
import { foldCatalog } from '../fold';
import { isOfTime } from '../stored/stored-check';

/** Bytes of memory for a resource or an edge with its rows, measured and rounded up. */
const bytesOf = { resource: 1_500, edge: 800 };

export const catalogKind: DocumentKind<WireCatalog> = {
  readStep: 'read_catalogs',
  replaces: true,
  apply(catalog, { state, record, receivedAt, parts }) {
    const { catalogEnvironment } = state.row;
    if (!foldCatalog(state, catalog, receivedAt)) return 'ignored';
    parts.catalogs.add(state, catalog, receivedAt, record, catalogEnvironment !== catalog.environment);
    if (catalog.content === undefined) return 'unchanged';
    return parts.catalogs.had(state.node) ? 'applied' : 'added';
  },
  weigh: ({ content }) =>
    content === undefined ? 0 : content.resources.length * bytesOf.resource + content.edges.length * bytesOf.edge,
  stored: {
    mayBe: (given, { catalogAt }) => isOfTime(given, catalogAt),
    // The certname, the resources and the edges are not compared separately, because the hash includes them.
    is(catalog, node) {
      const { environment, producer, version, transactionUuid, catalogUuid, codeId, jobId, content } = catalog;
      const others = [environment, producer, version, transactionUuid, catalogUuid, codeId, jobId];
      return (
        catalog.producerTimestamp === node.catalogAt &&
        (content === undefined || content.hash === node.catalogHash) &&
        JSON.stringify(others) === JSON.stringify(JSON.parse(node.catalog))
      );
    },
  },
};
