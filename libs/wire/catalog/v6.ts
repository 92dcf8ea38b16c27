import { shape } from '../check/shape';
import { catalogV7 } from './v7';
import type { CatalogVersion } from './v9';

/** Version 6 has no code_id, so a member of this name is ignored. */
export const catalogV6: CatalogVersion = {
  version: 6,
  shape: shape(
    ['certname', 'version', 'producer_timestamp', 'edges', 'resources'],
    ['environment', 'transaction_uuid', 'catalog_uuid', 'code_id', 'producer', 'job_id'],
    { open: true },
  ),
  head: (members) => ({ ...catalogV7.head(members), codeId: null }),
};
