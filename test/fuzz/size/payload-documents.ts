/** A small valid payload of each version of each command. `§` is replaced by the number of a repeated element. */
import agentReport from './agent-report.json';
import { catalog, edge, event, factset, report, resource } from '../../support/documents';

type Fields = Record<string, unknown>;
export type PayloadName = string;

export const certname = 'size.fuzz.test';
const uuid = '00000000-0000-4000-8000-000000000003';
const time = '2026-01-01T00:00:00.000Z';

const without = (document: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));

const facts = factset(
  certname,
  {
    kernel: 'Linux',
    uptime: 7,
    load: 0.5,
    os: { name: 'Debian', release: { major: 12 } },
    disks: ['sd§', { size: 7 }],
  },
  { package_inventory: [['vim§', '9', 'apt']] },
);
const files = [
  resource('/a§', { parameters: { ensure: 'file', mode: '0644', order: 10, notes: ['a§'] } }),
  resource('/b', { tags: ['t§'] }),
];
const current = catalog(certname, files, [{ ...edge('/a0', '/b'), relationship: 'contains' }]);
const log = { file: null, line: null, level: 'info', message: 'm§', source: 's', tags: ['t§'], time };
const reported = report(certname, [event('mode§')], {
  logs: [log],
  metrics: [{ category: 'time', name: 'n§', value: 1.5 }],
});
const [status] = reported['resources'] as Fields[];
const oldEvent = without(event('mode§'), 'corrective_change');
const oldStatus = without(status ?? {}, 'corrective_change', 'events');
const report7 = {
  ...without(reported, 'producer', 'noop_pending', 'corrective_change', 'job_id'),
  resources: [{ ...oldStatus, events: [oldEvent] }],
};
const report6 = without(report7, 'catalog_uuid', 'code_id', 'cached_catalog_status');
const place = without(oldStatus, 'skipped', 'timestamp');
const report5 = { ...without(report6, 'resources'), resource_events: [{ ...oldEvent, ...place }] };

/** By command and version, `replace facts 5`; `agent report` is what agents write. */
export const payloadDocuments: Readonly<Record<PayloadName, Fields>> = {
  'replace facts 4': without(facts, 'producer'),
  'replace facts 5': facts,
  'replace catalog 6': without(current, 'code_id', 'catalog_uuid', 'producer', 'job_id'),
  'replace catalog 7': without(current, 'catalog_uuid', 'producer', 'job_id'),
  'replace catalog 8': without(current, 'producer', 'job_id'),
  'replace catalog 9': current,
  'store report 5': report5,
  'store report 6': report6,
  'store report 7': report7,
  'store report 8': reported,
  'deactivate node 3': { certname, producer_timestamp: time },
  'configure expiration 1': { certname, producer_timestamp: time, expire: { facts: true } },
  'replace catalog inputs 1': { certname, producer_timestamp: time, catalog_uuid: uuid, inputs: [['hiera', 'k§']] },
  'agent report': { ...agentReport, host: certname },
};
/** Documents with all places tested at every size. Other documents are tested at random places. */
export const currentPayloads: readonly PayloadName[] = [
  'replace facts 5',
  'replace catalog 9',
  'store report 8',
  'store report 5',
  'replace catalog inputs 1',
  'configure expiration 1',
  'agent report',
];
