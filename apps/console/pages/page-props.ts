import type { Address } from '../address/address';

export interface PageProps {
  readonly address: Address;
}
