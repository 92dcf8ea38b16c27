export { AddressShares } from './address-shares';
export { availableMemory } from './available-memory';
export { Allowance } from './allowance';
export { checkLimit, overLimit } from './check-limit';
export { mostExpansion } from './deflate';
export { heapLimitMb } from './heap-limit';
export { defaultLimits, type LimitEntry, type LimitName, limitNames, type Limits, limitTable } from './limit-table';
