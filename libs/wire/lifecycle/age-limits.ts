import type { Members } from '../check/members';
import { documentReader } from '../check/document-reader';
import { shape } from '../check/shape';
import type { WireAgeLimits } from '../documents';
import { readParts } from './parts';

const ageLimits = shape(
  ['certname', 'nodes'],
  [
    'expired',
    'expire_before',
    'expire_most',
    'purge_before',
    'purge_most',
    'reports_before',
    'events_before',
    'history_before',
  ],
);

type Name = (typeof ageLimits)['names'][number];

export const readAgeLimits = documentReader('apply age limits 1', ageLimits, (members): WireAgeLimits => ({
  kind: 'age limits',
  certname: members.text('certname'),
  nodes: readParts(members, 'nodes'),
  expiry: members.has('expire_before')
    ? {
        cutoff: members.time('expire_before'),
        expired: required(members, 'expired', () => members.time('expired')),
        most: required(members, 'expire_most', () => members.integer('expire_most', 32)),
      }
    : null,
  purge: members.has('purge_before')
    ? {
        cutoff: members.time('purge_before'),
        most: required(members, 'purge_most', () => members.integer('purge_most', 32)),
      }
    : null,
  reportsBefore: members.has('reports_before') ? members.time('reports_before') : null,
  eventsBefore: members.has('events_before') ? members.time('events_before') : null,
  historyBefore: members.has('history_before') ? members.time('history_before') : null,
}));

function required<T>(members: Members<Name>, name: Name, read: () => T): T {
  if (!members.has(name)) members.wrong(name, 'a value');
  return read();
}

export function writeAgeLimits(limits: WireAgeLimits): string {
  const { certname, nodes, expiry, purge, reportsBefore, eventsBefore, historyBefore } = limits;
  return JSON.stringify({
    certname,
    nodes,
    ...(expiry && { expired: expiry.expired, expire_before: expiry.cutoff, expire_most: expiry.most }),
    ...(purge && { purge_before: purge.cutoff, purge_most: purge.most }),
    ...(reportsBefore !== null && { reports_before: reportsBefore }),
    ...(eventsBefore !== null && { events_before: eventsBefore }),
    ...(historyBefore !== null && { history_before: historyBefore }),
  });
}
