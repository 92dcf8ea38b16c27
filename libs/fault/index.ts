export { excerpt, longestExcerpt } from './excerpt';
export { Fault, isFault, faultKinds, type FaultKind, type FaultOptions } from './fault';
