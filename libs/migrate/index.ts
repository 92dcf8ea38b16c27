export { type ConfigFile, convertConfig, type ConvertedConfig } from './config/convert-config';
export { compareStores, type CountRow, sampleOf, type StoreComparison } from './copy/compare-stores';
export { type CopyFailure, type CopyOutcome, copyStore } from './copy/copy-store';
export { Peer, type PeerOptions } from './copy/peer';
export { Store } from './copy/store';
export { Submitter } from './copy/submitter';
