/**
 * Documents of a node with a recognizable word in every value that a site could choose, and with facts of unusual
 * times.
 */
import type { SiteCommand } from '../dashboards/site-commands';
import { catalog, event, factset, report } from '../../support/documents';
import { planted } from '../../support/planted';

const time = '2025-03-01T10:00:00.000Z';
const catalogUuid = '0badcafe-0000-4000-8000-00000badcafe';
const certname = `${planted('certname')}.test`;
const type = capital(planted('type'));
const title = `/${planted('title')}`;
const file = `/${planted('file')}/site.pp`;
const common = {
  environment: planted('environment'),
  producer: `${planted('producer')}.test`,
  producer_timestamp: time,
};
const ids = {
  ...{ transaction_uuid: catalogUuid, catalog_uuid: catalogUuid },
  ...{ code_id: planted('code'), job_id: planted('job') },
};

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

const facts = factset(
  certname,
  {
    kernel: 'Linux',
    [planted('fact name')]: planted('fact value'),
    structured: { [planted('fact key')]: [planted('fact element'), { deep: planted('fact inside') }] },
    trusted: { certname, extensions: {} },
  },
  { ...common, package_inventory: [[planted('package'), planted('package version'), planted('provider')]] },
);

const ofClass = { type: 'Class', title: capital(planted('class')) };
const compiled = catalog(
  certname,
  [
    { ...ofClass, exported: false, file, line: 1, tags: ['class', planted('class')], parameters: {} },
    {
      ...{ type, title, exported: true, file, line: 4711, tags: [planted('tag'), certname] },
      parameters: {
        ensure: 'present',
        [planted('parameter name')]: planted('parameter value'),
        content: { [planted('parameter key')]: [planted('parameter inside')] },
        alias: planted('alias'),
      },
    },
  ],
  [{ source: ofClass, target: { type, title }, relationship: 'contains' }],
  { ...common, ...ids, version: planted('version') },
);

const ran = report(certname, [], {
  ...common,
  ...ids,
  ...{ configuration_version: planted('version'), start_time: time, end_time: time },
  logs: [
    {
      ...{ file, line: 4711, level: 'notice', message: planted('log message'), time },
      ...{ source: `/Stage[main]/${ofClass.title}/${type}[${title}]/ensure`, tags: ['notice', planted('tag')] },
    },
  ],
  metrics: [{ category: 'time', name: 'total', value: 1.5 }],
  resources: [
    {
      ...{ resource_type: type, resource_title: title, file, line: 4711, skipped: false, timestamp: time },
      ...{ containment_path: ['Stage[main]', ofClass.title, `${type}[${title}]`], corrective_change: false },
      events: [
        event(planted('property'), {
          ...{ timestamp: time, name: planted('event name'), message: planted('event message') },
          ...{ old_value: planted('old value'), new_value: planted('new value') },
        }),
      ],
    },
  ],
});

const inputs = {
  ...{ certname, producer_timestamp: time, catalog_uuid: catalogUuid },
  inputs: [['hiera', planted('input')]],
};

const made = (command: string, version: number, payload: object, of = certname): SiteCommand => ({
  ...{ command, version, certname: of },
  body: JSON.stringify(payload),
});

/** The header of a tar file cannot store these times. */
const unusualTimes = ['1960', '2040', '9999'].map((year) => {
  const node = `${planted('certname')}-${year}.test`;
  const over = { ...common, producer_timestamp: `${year}-03-01T10:00:00.000Z` };
  return made('replace facts', 5, factset(node, { kernel: 'Linux' }, over), node);
});

export const plantedNode: readonly SiteCommand[] = [
  made('replace facts', 5, facts),
  made('replace catalog', 9, compiled),
  made('replace catalog inputs', 1, inputs),
  made('store report', 8, ran),
  ...unusualTimes,
];
