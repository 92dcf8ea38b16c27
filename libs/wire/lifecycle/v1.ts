import type {
  WireNodeDeletion,
  WireNodeExpiry,
  WireNodePurge,
  WireNodeRestoration,
  WireReportPurge,
} from '../documents';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { JsonScan } from '../json/scan';

const expiry = shape(['certname', 'expired', 'cutoff']);
const limited = shape(['certname', 'cutoff']);
const named = shape(['certname']);
const restored = shape(
  ['certname', 'deactivated', 'expired', 'expire_facts', 'expire_facts_updated'],
  // Bases that were made before the cut-off was kept do not have it.
  ['expired_cutoff'],
);

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
  const document = {
    kind: 'node restoration',
    certname: members.text('certname'),
    deactivated: members.timeOrNull('deactivated'),
    expired: members.timeOrNull('expired'),
    expiredCutoff: members.timeOrNull('expired_cutoff'),
    expireFacts: members.boolean('expire_facts'),
    expireFactsUpdated: members.timeOrNull('expire_facts_updated'),
  } as const;
  problems.throwIfAny();
  return document;
}

function readLimited(text: string, what: string): { certname: string; cutoff: string } {
  const problems = new Problems(what);
  const members = new Members(new JsonScan(text), limited, problems);
  members.open(0);
  const document = { certname: members.text('certname'), cutoff: members.time('cutoff') };
  problems.throwIfAny();
  return document;
}
