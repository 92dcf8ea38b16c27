import type { WireLifecycle } from '#wire';
import type { DocumentKind } from '../document-kind';

/** What maintenance does to one node. */
export const removalKind: DocumentKind<WireLifecycle> = {
  readStep: 'read_others',
  apply(document, { state, record, parts }) {
    parts.removals.apply(state, document, record);
    return 'applied';
  },
};
