export { type CodeEntry, type Surface } from './codes/code-entry';
export { errorHeader } from './error-header';
export { excerpt, longestExcerpt } from './excerpt';
export { Fault, isFault, type FaultKind } from './fault';
export { faultCodes, isFaultCode, type CodeAfter, type FaultCode } from './fault-codes';
export { isMap } from './is-map';
export { nearest } from './nearest';
export { retryDelay, type RetryDelays } from './retry-delay';
export { withTimeout } from './with-timeout';
