export { AddressShares } from './address-shares';
export { availableMemory } from './available-memory';
export { Allowance } from './allowance';
export { checkLimit, overLimit } from './check-limit';
export { mostExpansion } from './deflate';
export { gunzipWithin, gunzipWithinSync, isTooLarge } from './gunzip';
export { heapLimitMb } from './heap-limit';
export {
  defaultLimits,
  highestLimits,
  limitEntry,
  type LimitName,
  limitTable,
  limitNames,
  type Limits,
  limitsWith,
  settingOfLimit,
} from './limit-table';
