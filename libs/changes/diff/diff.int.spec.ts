/**
 * Tests comparisons over HTTP, with PostgreSQL: the content of answers, patches that are applied, and refused requests.
 */
import fc from 'fast-check';
import { type AstJson, isList, isMap, parseAst, stringifyAst } from '#query';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { applyPatch } from '../testing/apply';
import { type ChangesBench, openChangesBench } from '../testing/changes-bench';
import { randomState, type State } from '../testing/random-states';

let bench: ChangesBench;
beforeAll(async () => {
  bench = await openChangesBench();
});
afterAll(async () => {
  await bench.close();
  expect(bench.reported).toEqual([]);
});

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const at = (hours: number): string => new Date(start + hours * hour).toISOString();

async function submit(certname: string, { facts, packages, resources, edges }: State, hours = 1): Promise<void> {
  const given = { receivedAt: start + hours * hour };
  const times = { producer_timestamp: at(hours) };
  await bench.projection.submit('replace facts', certname, {
    ...given,
    payload: factset(certname, facts, { ...times, package_inventory: packages }),
  });
  await bench.projection.submit('replace catalog', certname, {
    ...given,
    payload: catalog(certname, resources, edges, times),
  });
}

const before: State = {
  facts: { os: { name: 'Debian', release: { full: '12.6' } }, role: 'web', disks: ['sda', 'sdb'], gone: {} },
  packages: [
    ['openssl', '3.0.7', 'apt'],
    ['linux', '6.1', 'apt'],
    ['linux', '6.2', 'apt'],
    ['same', '1', 'apt'],
  ],
  resources: [
    resource('/etc/motd', { parameters: { ensure: 'file', mode: '0644' } }),
    resource('/gone'),
    resource('/same'),
  ],
  edges: [edge('/etc/motd', '/gone'), edge('/etc/motd', '/same')],
};
const after: State = {
  facts: { os: { name: 'Debian', release: { full: '12.7' } }, role: 'web', disks: ['sda'], 'new.\u001b[31m': null },
  packages: [
    ['openssl', '3.0.9', 'apt'],
    ['linux', '6.2', 'apt'],
    ['linux', '6.3', 'apt'],
    ['same', '1', 'apt'],
    ['same', '1', 'gem'],
  ],
  resources: [
    resource('/etc/motd', { parameters: { ensure: 'file', mode: '0600', owner: 'root' }, line: 8 }),
    resource('nginx', { type: 'Service', parameters: { ensure: 'running' } }),
    resource('/same'),
  ],
  edges: [edge('/etc/motd', '/same'), edge('/same', '/etc/motd', 'notifies')],
};

describe('a node that has changed', () => {
  beforeAll(async () => {
    await submit('web1', before, 1);
    await submit('web1', after, 3);
    await submit('web2', after, 3);
    await bench.projection.settle();
    expect(bench.projection.deadLetters).toEqual([]);
  });

  it('names what differs in each part', async () => {
    expect(await bench.json('diff', { a: `web1@${at(2)}`, b: 'web1' })).toEqual({
      a: { certname: 'web1', as_of: expect.stringContaining('@2026-01-01T02:00:00.000Z'), time: at(2) },
      b: { certname: 'web1', as_of: null, time: null },
      facts: [
        { change: 'removed', path: ['disks', 1], old: 'sdb' },
        { change: 'removed', path: ['gone'], old: {} },
        { change: 'added', path: ['new.\u001b[31m'], new: null },
        { change: 'changed', path: ['os', 'release', 'full'], old: '12.6', new: '12.7' },
      ],
      resources: [
        {
          change: 'changed',
          type: 'File',
          title: '/etc/motd',
          changes: [
            { change: 'changed', path: ['line'], old: 7, new: 8 },
            { change: 'changed', path: ['parameters', 'mode'], old: '0644', new: '0600' },
            { change: 'added', path: ['parameters', 'owner'], new: 'root' },
          ],
        },
        {
          change: 'removed',
          type: 'File',
          title: '/gone',
          old: { exported: false, file: '/site.pp', line: 7, tags: ['file', 'class'], parameters: { ensure: 'file' } },
        },
        {
          change: 'added',
          type: 'Service',
          title: 'nginx',
          new: {
            exported: false,
            file: '/site.pp',
            line: 7,
            tags: ['file', 'class'],
            parameters: { ensure: 'running' },
          },
        },
      ],
      edges: [edgeOf('removed', '/etc/motd', 'before', '/gone'), edgeOf('added', '/same', 'notifies', '/etc/motd')],
      packages: [
        { change: 'changed', name: 'linux', provider: 'apt', old: ['6.1', '6.2'], new: ['6.2', '6.3'] },
        { change: 'changed', name: 'openssl', provider: 'apt', old: ['3.0.7'], new: ['3.0.9'] },
        { change: 'added', name: 'same', provider: 'gem', old: [], new: ['1'] },
      ],
    });
  });

  it('reads as text, without characters that control a terminal', async () => {
    const answer = await bench.ask(
      'diff',
      { a: `web1@${at(2)}`, b: 'web2', format: 'text' },
      { headers: { authorization: `Bearer ${await bench.token('query')}` } },
    );
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toBe(`--- web1 as of 2026-01-01T02:00:00.000Z
+++ web2 now

facts
- disks[1]: "sdb"
- gone: {}
+ "new.\\u001b[31m": null
~ os.release.full: "12.6" → "12.7"

resources
~ File[/etc/motd]
    ~ line: 7 → 8
    ~ parameters.mode: "0644" → "0600"
    + parameters.owner: "root"
- File[/gone]: {"ensure":"file"}
+ Service[nginx]: {"ensure":"running"}

edges
- File[/etc/motd] before File[/gone]
+ File[/same] notifies File[/etc/motd]

packages
~ linux (apt): 6.1, 6.2 → 6.2, 6.3
~ openssl (apt): 3.0.7 → 3.0.9
+ same (gem): 1
`);
  });

  it('compares with itself now if there is no second state', async () => {
    expect(await bench.json('diff', { a: `web1@${at(2)}`, part: 'packages' })).toMatchObject({
      b: { certname: 'web1', time: null },
      packages: [{}, {}, {}],
    });
    expect(await bench.json('diff', { a: 'web1', b: 'web2' })).toMatchObject({
      facts: [],
      resources: [],
      edges: [],
      packages: [],
    });
  });

  it.each([
    [{}, 400, 'query.parameter', 'a is missing'],
    [{ a: '@yesterday' }, 400, 'query.parameter', 'names no node'],
    [{ a: 'web1', part: 'fact' }, 400, 'query.parameter', 'no part'],
    [{ a: 'web1', format: 'patch' }, 400, 'query.parameter', 'json-patch'],
    [{ a: 'web1', c: 'web2' }, 400, 'query.parameter', "no parameter 'c'"],
    [{ a: 'web1@last week' }, 400, 'query.as-of', 'last week'],
    [{ a: 'web1@now + 1h' }, 400, 'query.as-of-future', 'future'],
    [{ a: 'web3' }, 404, 'query.record', 'web3'],
    [{ a: `web1@${at(0)}` }, 404, 'query.record', 'as of 2026-01-01T00:00:00.000Z'],
  ])('refuses %j', async (parameters, status, code, text) => {
    const [foundStatus, foundCode, foundText] = await bench.refusal('diff', parameters);
    expect([foundStatus, foundCode]).toEqual([status, code]);
    expect(foundText).toContain(text);
  });

  it('needs the role query', async () => {
    expect((await bench.ask('diff', { a: 'web1' })).status).toBe(401);
    const headers = { authorization: `Bearer ${await bench.token('submit')}` };
    expect((await bench.ask('diff', { a: 'web1' }, { headers })).status).toBe(403);
  });
});

const edgeOf = (change: string, source: string, relationship: string, target: string): unknown => ({
  change,
  relationship,
  source_type: 'File',
  source_title: source,
  target_type: 'File',
  target_title: target,
});

describe('runs of a node', () => {
  const run = async (hours: number, status: string, events: unknown[]): Promise<void> => {
    const times = { producer_timestamp: at(hours), start_time: at(hours), end_time: at(hours) };
    await bench.projection.submit('store report', 'runs', {
      payload: report('runs', events, { status, ...times }),
      receivedAt: start + hours * hour,
    });
  };
  beforeAll(async () => {
    await submit('runs', before);
    await run(1, 'changed', [event('mode'), event('owner', { message: 'one' })]);
    await run(2, 'failed', [
      event('owner', { message: 'two' }),
      event('ensure', { status: 'failure' }),
      event('ensure'),
    ]);
    await bench.projection.settle();
  });

  it('compares the last run with the run before it', async () => {
    const found = await bench.json<{ a: { report: string }; b: { report: string } }>('diff/runs', { certname: 'runs' });
    const hash: unknown = expect.stringMatching(/^[0-9a-f]{40}$/);
    const value = (status: string, message = 'changed') => ({
      ...{ status, old_value: 'old', new_value: 'new', message, corrective_change: false },
    });
    const of = { resource_type: 'File', resource_title: '/a' };
    expect(found).toEqual({
      a: { certname: 'runs', report: hash, end_time: at(1) },
      b: { certname: 'runs', report: hash, end_time: at(2) },
      report: [{ change: 'changed', path: ['status'], old: 'changed', new: 'failed' }],
      events: [
        { change: 'added', ...of, property: 'ensure', new: value('failure') },
        { change: 'added', ...of, property: 'ensure', new: value('success') },
        { change: 'removed', ...of, property: 'mode', old: value('success') },
        { change: 'changed', ...of, property: 'owner', old: value('success', 'one'), new: value('success', 'two') },
      ],
    });
    const back = { certname: 'runs', report: found.a.report, before: found.b.report };
    expect(await bench.json('diff/runs', { ...back, format: 'json-patch' })).toMatchObject([
      { op: 'replace', path: '/report/status', value: 'changed' },
      { op: 'remove', path: '/events/File[~1a]~1ensure' },
      { op: 'remove', path: '/events/File[~1a]~1ensure#2' },
      { op: 'add', path: '/events/File[~1a]~1mode' },
      { op: 'replace', path: '/events/File[~1a]~1owner/message', value: 'one' },
    ]);
  });

  it.each([
    [{}, 400, 'certname is missing'],
    [{ certname: 'runs', report: 'x' }, 400, 'hash of a report'],
    [{ certname: 'runs', report: '0'.repeat(40) }, 404, 'No report 0'],
    [{ certname: 'web1' }, 404, 'No run of node web1'],
  ])('refuses %j', async (parameters, status, text) => {
    const [found, , message] = await bench.refusal('diff/runs', parameters);
    expect(found).toBe(status);
    expect(message).toContain(text);
  });
});

it('refuses to compare values that are too long, and names the limit', async () => {
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`fact${index}`, 'x'.repeat(100_000)]));
  await submit('long', { ...before, facts: wide });
  await submit('short', before);
  await bench.projection.settle();
  const [status, code, text] = await bench.refusal('diff', { a: 'long', b: 'short', part: 'facts' });
  expect([status, code]).toEqual([400, 'query.limit']);
  expect(text).toMatch(/Too large: more than 4000000 characters of the differences in one part of a comparison/);
  expect(await bench.json('diff', { a: 'long', b: 'short', part: 'edges' })).toMatchObject({ edges: [] });
});

/** Makes the document to which a JSON Patch applies, from the submitted state. */
function documentOf({ facts, packages, resources, edges }: State): unknown {
  const byName: Record<string, Record<string, string[]>> = {};
  for (const [packageName, version, provider] of [...packages].sort())
    ((byName[packageName] ??= {})[provider] ??= []).push(version);
  return {
    facts,
    packages: byName,
    resources: Object.fromEntries(
      resources.map(({ type, title, ...others }) => [`${String(type)}[${String(title)}]`, others]),
    ),
    edges: Object.fromEntries(
      (edges as { source: Named; target: Named; relationship: string }[]).map(({ source, target, relationship }) => [
        JSON.stringify([`${source.type}[${source.title}]`, relationship, `${target.type}[${target.title}]`]),
        true,
      ]),
    ),
  };
}
interface Named {
  readonly type: string;
  readonly title: string;
}

const sorted = (one: AstJson): AstJson =>
  isMap(one)
    ? new Map([...one].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
    : isList(one)
      ? one.map(sorted)
      : one;
const textOf = (value: AstJson): string => stringifyAst(sorted(value));
const astOf = (value: unknown): AstJson => parseAst(JSON.stringify(value));

it('a JSON Patch makes the second of the first state, for random states of all parts', async () => {
  const pairs = fc.sample(fc.tuple(randomState, randomState), { numRuns: 60, seed: 31 });
  for (const [index, [from]] of pairs.entries()) await submit(`pair${index}`, from, 10);
  for (const [index, [, to]] of pairs.entries()) {
    await submit(`pair${index}`, to, 12);
    await submit(`other${index}`, to, 12);
  }
  await bench.projection.settle();
  expect(bench.projection.deadLetters).toEqual([]);
  for (const [index, [from, to]] of pairs.entries()) {
    for (const b of [`pair${index}`, `other${index}`]) {
      const patch = await bench.json<unknown[]>('diff', { a: `pair${index}@${at(11)}`, b, format: 'json-patch' });
      const applied = applyPatch(astOf(documentOf(from)), astOf(patch) as readonly AstJson[]);
      expect(textOf(applied)).toBe(textOf(astOf(documentOf(to))));
    }
  }
});
