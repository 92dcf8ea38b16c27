import type {
  WireNodeDeletion,
  WireNodeExpiry,
  WireNodePurge,
  WireNodeRestoration,
  WireNodesRestoration,
  WireReportPurge,
} from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { JsonScan } from '../json/scan';
import { readParts } from './parts';

const expiry = shape(['certname', 'expired', 'cutoff']);
const limited = shape(['certname', 'cutoff']);
const named = shape(['certname']);
const restored = shape(
  ['certname', 'deactivated', 'expired', 'expire_facts', 'expire_facts_updated'],
  // Bases that were made before the cut-off was kept do not have it.
  ['expired_cutoff'],
);
const several = shape(['certname', 'nodes'], ['events_before', 'events_of']);

/** `expire node`: text of a JSON object of certname, expired and cutoff. */
export function readNodeExpiry(text: string): WireNodeExpiry {
  const problems = new Problems('expire node 1');
  const members = new Members(new JsonScan(text), expiry, problems);
  members.open(0);
  const document = {
    kind: 'node expiry',
    certname: members.text('certname'),
    expired: members.time('expired'),
    cutoff: members.time('cutoff'),
  } as const;
  problems.throwIfAny();
  return document;
}

/** `purge node`: text of a JSON object of certname and cutoff. */
export function readNodePurge(text: string): WireNodePurge {
  return { kind: 'node purge', ...readLimited(text, 'purge node 1') };
}

/** `purge reports`: text of a JSON object of certname and cutoff. */
export function readReportPurge(text: string): WireReportPurge {
  return { kind: 'report purge', ...readLimited(text, 'purge reports 1') };
}

/** `delete node`: text of a JSON object of certname. */
export function readNodeDeletion(text: string): WireNodeDeletion {
  const problems = new Problems('delete node 1');
  const members = new Members(new JsonScan(text), named, problems);
  members.open(0);
  const certname = members.text('certname');
  problems.throwIfAny();
  return { kind: 'node deletion', certname };
}

/**
 * `restore node`: text of a JSON object of certname, deactivated, expired, expire_facts and expire_facts_updated; also
 * expired_cutoff, which older bases do not have.
 */
export function readNodeRestoration(text: string): WireNodeRestoration {
  const problems = new Problems('restore node 1');
  const members = new Members(new JsonScan(text), restored, problems);
  members.open(0);
  const document = { kind: 'node restoration', ...lifeOf(members) } as const;
  problems.throwIfAny();
  return document;
}

/**
 * `restore nodes`: text of a JSON object of certname and nodes, a list of objects as in `restore node`; also events_before and
 * events_of, as in `apply age limits`.
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

function readLimited(text: string, what: string): { certname: string; cutoff: string } {
  const problems = new Problems(what);
  const members = new Members(new JsonScan(text), limited, problems);
  members.open(0);
  const document = { certname: members.text('certname'), cutoff: members.time('cutoff') };
  problems.throwIfAny();
  return document;
}
