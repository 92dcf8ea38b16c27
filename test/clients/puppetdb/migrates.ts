import { runVerb } from '../../e2e/verb';
import type { SiteCommand } from '../dashboards/site-commands';
import { submitAll } from '../dashboards/submit';
import { fleetCommands } from './fleet-commands';
import type { Pair } from './pair';

const time = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** The tests of `nodeledger migrate`. They leave PuppetDB empty. */
export function migrates(pair: () => Pair): void {
  afterAll(() => pair().puppetDb.empty());

  test('with all that it has; content hashes are the same on both sides', async () => {
    const { puppetDb, services, room } = pair();
    await submitAll(puppetDb.url, [...fleetCommands(4, 2), ...ownDocuments()]);

    const target = await services.start();
    const run = await runVerb(['migrate', '--from', puppetDb.url, '--url', target.url], room);
    const { comparison, copied, equal } = JSON.parse(run.stdout) as {
      comparison: {
        counts: { entity: string; source: number; target: number }[];
        differences: string[];
        documents: number;
      };
      copied: { nodes: number; failures: unknown[] };
      equal: boolean;
    };
    expect(comparison.differences).toEqual([]);
    expect(comparison.counts.filter((row) => row.source !== row.target)).toEqual([]);
    expect([run.code, equal, copied.nodes, copied.failures]).toEqual([0, true, 6, []]);
    const counted = Object.fromEntries(comparison.counts.map((row) => [row.entity, row.source]));
    expect(counted).toMatchObject({ nodes: 6, factsets: 6, catalogs: 4, 'catalog-inputs': 1, reports: 8 });
    expect(comparison.documents).toBe(6 + 4 + 1 + 8 + 6);
  }, 200_000);

  test('with its configuration, which becomes a settings file', async () => {
    const { puppetDb, room } = pair();
    const run = await runVerb(['migrate', '--config', puppetDb.config], room);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('node_ttl: "4000d"');
    expect(run.stdout).toContain('gc_interval: "0"');
    expect(run.stderr).toContain('auth.conf is not read');
  });
}

/** Documents of a node with unusual names and values, and of a deactivated node. */
function ownDocuments(): SiteCommand[] {
  const odd = 'odd "name\\é.test';
  const gone = 'gone.test';
  const catalogUuid = '11111111-2222-4333-8444-555555555555';
  const made = (command: string, version: number, certname: string, document: object): SiteCommand => ({
    ...{ command, version, certname },
    body: JSON.stringify({ certname, ...document }),
  });
  return [
    {
      ...{ command: 'replace facts', version: 5, certname: odd },
      body: `{"certname":${JSON.stringify(odd)},"environment":"production","producer":null,"producer_timestamp":"${time(5)}",
        "values":{"float":1.0,"big":123456789012345678901234567890,"tiny":1.5e-9,"deep":{"a":[1,{"b":null}],"e":[],"m":{}}},
        "package_inventory":[["bash","5.1","apt"],["curl","7.8","apt"]]}`,
    },
    made('replace catalog inputs', 1, odd, {
      ...{ producer_timestamp: time(4), catalog_uuid: catalogUuid, inputs: [['hiera', 'a::b']] },
    }),
    made('configure expiration', 1, odd, { producer_timestamp: time(3), expire: { facts: false } }),
    made('replace facts', 5, gone, {
      ...{ environment: 'old', producer: 'p.test', producer_timestamp: time(50), values: { a: 1 } },
    }),
    made('deactivate node', 3, gone, { producer_timestamp: time(2) }),
  ];
}
