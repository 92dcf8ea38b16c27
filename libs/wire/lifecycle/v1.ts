import type { WireNodeDeletion, WireNodeRestoration, WireNodesRestoration } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { JsonScan } from '../json/scan';
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

/** Reads the payload of `delete node`: a JSON object of certname. */
export function readNodeDeletion(text: string): WireNodeDeletion {
  const problems = new Problems('delete node 1');
  const members = new Members(new JsonScan(text), named, problems);
  members.open(0);
  const certname = members.text('certname');
  problems.throwIfAny();
  return { kind: 'node deletion', certname };
}

/** Reads the payload of `restore node`: a JSON object of certname, deactivated, expired, expired_cutoff, expire_facts and expire_facts_updated. */
export function readNodeRestoration(text: string): WireNodeRestoration {
  const problems = new Problems('restore node 1');
  const members = new Members(new JsonScan(text), restored, problems);
  members.open(0);
  const document = { kind: 'node restoration', ...lifeOf(members) } as const;
  problems.throwIfAny();
  return document;
}

/**
 * Reads the payload of `restore nodes`: a JSON object of certname and nodes, a list of objects as in `restore node`; optionally
 * events_before and events_of, which have the meaning of events_before and nodes in `apply age limits`.
 */
export function readNodesRestoration(text: string): WireNodesRestoration {
  const problems = new Problems('restore nodes 1');
  const scan = new JsonScan(text);
  const members = new Members(scan, several, problems);
  members.open(0);
  const nodes: Omit<WireNodeRestoration, 'kind'>[] = [];
  if (members.kind('nodes') === 'array') {
    const each = new Members(scan, restored, problems, 2);
    each.base = 'nodes';
    eachElement(scan, members.start('nodes'), (pos, index) => {
      each.index = index;
      const end = each.open(pos);
      nodes.push(lifeOf(each));
      return end;
    });
  } else members.wrong('nodes', 'an array');
  const certname = members.text('certname');
  const events = members.has('events_before')
    ? { before: members.time('events_before'), of: readParts(members, 'events_of') }
    : null;
  problems.throwIfAny();
  return { kind: 'nodes restoration', certname, nodes, events };
}

const lifeOf = (members: Members<(typeof restored)['names'][number]>): Omit<WireNodeRestoration, 'kind'> => ({
  certname: members.text('certname'),
  deactivated: members.timeOrNull('deactivated'),
  expired: members.timeOrNull('expired'),
  expiredCutoff: members.timeOrNull('expired_cutoff'),
  expireFacts: members.boolean('expire_facts'),
  expireFactsUpdated: members.timeOrNull('expire_facts_updated'),
});
