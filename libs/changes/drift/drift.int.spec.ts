/** Tests drift over HTTP, with PostgreSQL: which values the nodes of a group share, and which nodes differ. */
import { catalog, factset, resource } from '../../../test/support/documents';
import { type ChangesBench, openChangesBench } from '../testing/changes-bench';

let bench: ChangesBench;

interface Machine {
  readonly role: string | null;
  readonly facts?: Record<string, unknown>;
  readonly openssl?: string;
  readonly packages?: readonly (readonly [string, string, string])[];
  readonly mode?: string;
  readonly resources?: readonly unknown[];
}

async function submit(certname: string, machine: Machine): Promise<void> {
  const { role, facts = {}, openssl = '3.0.9', packages = [], mode = '0644', resources = [] } = machine;
  const times = { producer_timestamp: '2026-01-01T00:00:00.000Z' };
  const own = {
    uptime: certname,
    hostname: certname,
    os: { name: 'Debian', release: '12.7' },
    ...(role !== null && { role }),
  };
  await bench.projection.submit('replace facts', certname, {
    payload: factset(
      certname,
      { ...own, ...facts },
      { ...times, package_inventory: [['openssl', openssl, 'apt'], [`own-${certname}`, '1', 'apt'], ...packages] },
    ),
  });
  await bench.projection.submit('replace catalog', certname, {
    payload: catalog(
      certname,
      [
        resource('/etc/motd', { parameters: { ensure: 'file', mode } }),
        resource('/etc/same', { line: certname.length }),
        resource('/etc/host', { parameters: { content: certname } }),
        ...resources,
      ],
      [],
      times,
    ),
  });
}

beforeAll(async () => {
  bench = await openChangesBench();
  await bench.projection.rows(`INSERT INTO {schema}.volatile_facts VALUES ('uptime')`);
  for (let index = 0; index < 10; index++)
    await submit(`web${index}`, {
      role: 'web',
      facts: index === 3 ? { os: { name: 'Debian', release: '12.6' } } : index === 4 ? { os: { name: 'Debian' } } : {},
      ...(index === 5 && { openssl: '3.0.7', facts: { odd: true } }),
      ...(index === 6 && { mode: '0600', packages: [['nmap', '7', 'apt']] as const }),
      ...(index === 7 && { resources: [resource('/etc/extra', { parameters: { ensure: 'absent' } })] }),
    });
  // Half of the nodes in this group have another value, so no value is shared by most nodes.
  for (let index = 0; index < 4; index++)
    await submit(`db${index}`, { role: 'db', openssl: index < 2 ? '3.0.7' : '3.0.9' });
  await submit('lone', { role: 'lone' });
  await submit('none', { role: null });
  await bench.projection.submit('deactivate node', 'web9', {
    payload: { certname: 'web9', producer_timestamp: '2026-01-02T00:00:00.000Z' },
  });
  await bench.projection.settle();
  expect(bench.projection.deadLetters).toEqual([]);
});
afterAll(async () => {
  await bench.close();
  expect(bench.reported).toEqual([]);
});

const only = (...certnames: string[]): object => ({ nodes: certnames.length, certnames });

const ownPackage = (certname: string): unknown => ({
  ...{ name: `own-${certname}`, provider: 'apt', nodes: 3, others_left_out: 0, missing: null },
  others: [{ value: '1', ...only(certname) }],
});

it('names what most nodes of a group share, and who differs', async () => {
  expect(await bench.json('drift', { by: 'facts.role', majority: '75' })).toEqual({
    by: 'role',
    groups: [
      {
        value: 'web',
        nodes: 9,
        facts: {
          equal: 2,
          differing: [
            {
              path: ['os', 'release'],
              ...{
                value: '12.7',
                nodes: 7,
                others: [{ value: '12.6', ...only('web3') }],
                others_left_out: 0,
              },
              missing: only('web4'),
            },
            {
              path: ['odd'],
              ...{
                nodes: 8,
                others: [{ value: true, ...only('web5') }],
                others_left_out: 0,
                missing: null,
              },
            },
          ],
          left_out: 0,
        },
        resources: {
          equal: 1,
          differing: [
            {
              ...{ type: 'File', title: '/etc/motd', value: { ensure: 'file', mode: '0644' }, nodes: 8 },
              others: [
                {
                  changes: [{ change: 'changed', path: ['mode'], old: '0644', new: '0600' }],
                  ...only('web6'),
                },
              ],
              ...{ others_left_out: 0, missing: null },
            },
            {
              ...{ type: 'File', title: '/etc/extra', nodes: 8, others_left_out: 0, missing: null },
              others: [{ value: { ensure: 'absent' }, ...only('web7') }],
            },
          ],
          left_out: 0,
        },
        packages: {
          equal: 0,
          differing: expect.arrayContaining([
            {
              ...{ name: 'openssl', provider: 'apt', value: '3.0.9', nodes: 8, others_left_out: 0, missing: null },
              others: [{ value: '3.0.7', ...only('web5') }],
            },
            {
              ...{ name: 'nmap', provider: 'apt', nodes: 8, others_left_out: 0, missing: null },
              others: [{ value: '7', ...only('web6') }],
            },
          ]),
          left_out: 0,
        },
      },
      {
        value: 'db',
        nodes: 4,
        facts: { equal: 3, differing: [], left_out: 0 },
        resources: { equal: 2, differing: [], left_out: 0 },
        // The package that only this node has.
        packages: { equal: 0, differing: [0, 1, 2, 3].map((index) => ownPackage(`db${index}`)), left_out: 0 },
      },
    ],
    groups_left_out: 1,
    left_out: {
      volatile: expect.arrayContaining(['uptime']),
      facts: { unique: [{ path: ['hostname'] }], count: 1 },
      resources: { unique: [{ type: 'File', title: '/etc/host' }], count: 1 },
      packages: { unique: [], count: 0 },
    },
  });
});

it('compares the chosen parts of the chosen nodes', async () => {
  const found = await bench.json<{ groups: { value: string; nodes: number }[] }>('drift', {
    by: 'role',
    part: 'facts',
    min_group: '2',
    query: ['~', 'certname', '^web[0-4]'],
  });
  expect(found).toMatchObject({ groups: [{ value: 'web', nodes: 5, facts: { differing: [] } }] });
  expect(Object.keys(found.groups[0]!)).toEqual(['value', 'nodes', 'facts']);
});

it('has the items in which most nodes differ first, and counts the others', async () => {
  expect(await bench.json('drift', { by: 'role', part: 'facts', majority: '51', limit: '1' })).toMatchObject({
    groups: [{ facts: { differing: [{ path: ['os', 'release'] }], left_out: 1 } }, {}],
  });
});

it.each([
  [{}, 'query.parameter', 'by is missing'],
  [{ by: 'role', min_group: '1' }, 'query.parameter', '2 to 100000'],
  [{ by: 'role', majority: '50' }, 'query.parameter', '51 to 100'],
  [{ by: 'role', part: 'edges' }, 'query.parameter', "no part 'edges'"],
  [{ by: 'role', limit: '201' }, 'query.parameter', '1 to 200'],
  [{ by: 'role', query: ['=', 'certnam', 'a'] }, 'query.field', 'certnam'],
])('refuses %j', async (parameters, code, text) => {
  const [status, found, message] = await bench.refusal('drift', parameters);
  expect([status, found]).toEqual([400, code]);
  expect(message).toContain(text);
});

it('refuses a long path', async () => {
  const [status, code] = await bench.refusal('drift', { by: 'x'.repeat(5_000) });
  expect([status, code]).toEqual([400, 'query.limit']);
});

it('needs the role query', async () => {
  const headers = { authorization: `Bearer ${await bench.token('submit')}` };
  expect((await bench.ask('drift', { by: 'role' }, { headers })).status).toBe(403);
});
