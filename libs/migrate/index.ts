export { type ConfigFile, convertConfig } from './config/convert-config';
export { compareStores, sampleOf, type StoreComparison } from './copy/compare-stores';
export { type CopyOutcome, copyStore } from './copy/copy-store';
export { Peer, type PeerOptions } from './copy/peer';
export { Store } from './copy/store';
export { Submitter } from './copy/submitter';
