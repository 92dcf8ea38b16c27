import type { WireOfPartition } from '#wire';
import type { DocumentKind } from '../document-kind';

/** What is about all nodes of a partition. */
export const partitionKind: DocumentKind<WireOfPartition> = {
  readStep: 'read_others',
  apply(document, { record, parts }) {
    parts.partitions.add(document, record);
    return 'applied';
  },
};
