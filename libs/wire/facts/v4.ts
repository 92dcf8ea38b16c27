import { shape } from '../check/shape';
import type { FactsVersion } from './v5';

/** Version 4 has no producer, so a member of this name is ignored. */
export const factsV4: FactsVersion = {
  version: 4,
  shape: shape(
    ['certname', 'environment', 'producer_timestamp', 'values'],
    ['producer', 'package_inventory', 'timestamp'],
  ),
  producer: () => null,
};
