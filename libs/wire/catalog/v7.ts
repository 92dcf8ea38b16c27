import { shape } from '../check/shape';
import { catalogV8 } from './v8';
import type { CatalogVersion } from './v9';

/** Version 7 has no catalog_uuid. The transaction UUID is used instead. */
export const catalogV7: CatalogVersion = {
  version: 7,
  shape: shape(
    ['certname', 'version', 'producer_timestamp', 'edges', 'resources', 'code_id'],
    ['environment', 'transaction_uuid', 'catalog_uuid', 'producer', 'job_id'],
    { open: true },
  ),
  head: (members) => {
    const head = catalogV8.head(members);
    return { ...head, catalogUuid: head.transactionUuid };
  },
};
