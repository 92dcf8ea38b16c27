import type { WireNodeDeletion, WireNodeRestoration, WireNodesRestoration } from '../documents';
import { readObjects } from '../check/elements';
import type { Members } from '../check/members';
import { documentReader } from '../check/document-reader';
import { shape } from '../check/shape';
import { readParts } from './parts';

const named = shape(['certname']);
const restored = shape([
  'certname',
  'deactivated',
  'expired',
  'expired_cutoff',
  'expire_facts',
  'expire_facts_updated',
]);
const several = shape(['certname', 'nodes'], ['events_before', 'events_of']);

export const readNodeDeletion = documentReader('delete node 1', named, (members): WireNodeDeletion => ({
  kind: 'node deletion',
  certname: members.text('certname'),
}));

export const readNodeRestoration = documentReader('restore node 1', restored, (members): WireNodeRestoration => ({
  kind: 'node restoration',
  ...lifeOf(members),
}));

/** `events_before` and `events_of` have the same meaning as `events_before` and `nodes` in `apply age limits`. */
export const readNodesRestoration = documentReader('restore nodes 1', several, (members): WireNodesRestoration => ({
  kind: 'nodes restoration',
  nodes: members.isArray('nodes') ? readObjects(members, 'nodes', restored, lifeOf) : [],
  certname: members.text('certname'),
  events: members.has('events_before')
    ? { before: members.time('events_before'), of: readParts(members, 'events_of') }
    : null,
}));

const lifeOf = (members: Members<(typeof restored)['names'][number]>): Omit<WireNodeRestoration, 'kind'> => ({
  certname: members.text('certname'),
  deactivated: members.timeOrNull('deactivated'),
  expired: members.timeOrNull('expired'),
  expiredCutoff: members.timeOrNull('expired_cutoff'),
  expireFacts: members.boolean('expire_facts'),
  expireFactsUpdated: members.timeOrNull('expire_facts_updated'),
});
