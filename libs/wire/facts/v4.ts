import { shape } from '../check/shape';
import type { FactsVersion } from './v5';

/** Version 4 knew no producer; one that is sent all the same is let pass and does not count. */
export const factsV4: FactsVersion = {
  version: 4,
  shape: shape(
    ['certname', 'environment', 'producer_timestamp', 'values'],
    ['producer', 'package_inventory', 'timestamp'],
  ),
  producer: () => null,
};
