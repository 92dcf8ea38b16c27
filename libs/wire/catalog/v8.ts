import { shape } from '../check/shape';
import { catalogV9, type CatalogVersion } from './v9';

/** Version 8 has neither producer nor job_id, so members of these names are ignored. */
export const catalogV8: CatalogVersion = {
  version: 8,
  shape: shape(
    ['certname', 'version', 'producer_timestamp', 'edges', 'resources', 'catalog_uuid', 'code_id'],
    ['environment', 'transaction_uuid', 'producer', 'job_id'],
    { open: true },
  ),
  head: (members) => ({ ...catalogV9.head(members), producer: null, jobId: null }),
};
