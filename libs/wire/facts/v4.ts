import { shape } from '../check/shape';
import type { FactsVersion } from './v5';

/** Version 4 has no producer. The reader ignores one that is sent. */
export const factsV4: FactsVersion = {
  version: 4,
  shape: shape(
    ['certname', 'environment', 'producer_timestamp', 'values'],
    ['producer', 'package_inventory', 'timestamp'],
  ),
  producer: () => null,
};
