import type { WireDeactivation, WireExpiration, WireNodeRestoration } from '#wire';
import { appliedIf, type DocumentKind } from '../document-kind';
import { foldDeactivation, foldExpiration, foldNodeRestoration } from '../fold';
import { isOfTime } from '../stored/stored-check';
import type { StoredNode } from '../stored/stored-node';

export const deactivationKind: DocumentKind<WireDeactivation> = {
  readStep: 'read_others',
  apply: (document, { state, record, receivedAt }) => appliedIf(foldDeactivation(state, document, receivedAt, record)),
  stored: {
    mayBe: (given, { deactivated }) => isOfTime(given, deactivated),
    is: ({ producerTimestamp }, { deactivated }) => producerTimestamp === deactivated,
  },
};

export const expirationKind: DocumentKind<WireExpiration> = {
  readStep: 'read_others',
  apply: (document, { state, record, receivedAt }) => appliedIf(foldExpiration(state, document, receivedAt, record)),
  stored: {
    mayBe: (given, { expiresFactsUpdated }) => isOfTime(given, expiresFactsUpdated),
    is: ({ producerTimestamp, expireFacts }, { expiresFacts, expiresFactsUpdated }) =>
      producerTimestamp === expiresFactsUpdated && expireFacts === expiresFacts,
  },
};

export const nodeRestorationKind: DocumentKind<WireNodeRestoration> = {
  readStep: 'read_others',
  apply(document, { state, record }) {
    foldNodeRestoration(state, document, record);
    return 'applied';
  },
  stored: { mayBe: () => true, is: isOutdated },
};

/**
 * Returns whether the node has newer documents than this state. An import must not restore such a state, because the
 * state would deactivate a node that has become active again.
 */
function isOutdated(
  { deactivated, expiredCutoff, expireFactsUpdated }: WireNodeRestoration,
  { newest }: StoredNode,
): boolean {
  const times = [deactivated, expiredCutoff, expireFactsUpdated].map((time) => Date.parse(time ?? ''));
  const changed = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return newest !== null && Date.parse(newest) > changed;
}
