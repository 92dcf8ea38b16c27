/** Tests the timeline over HTTP, with PostgreSQL: its entries, its pages, and the history of one thing. */
import fc from 'fast-check';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { type ChangesBench, openChangesBench } from '../testing/changes-bench';
import { mixed, randomState, type State } from '../testing/random-states';

let bench: ChangesBench;
beforeAll(async () => {
  bench = await openChangesBench();
  await bench.projection.rows(`INSERT INTO {schema}.volatile_facts VALUES ('uptime')`);
});
afterAll(async () => {
  await bench.close();
  expect(bench.reported).toEqual([]);
});

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const at = (hours: number): string => new Date(start + hours * hour).toISOString();

type Json = Record<string, unknown>;
interface Entry extends Json {
  readonly id: string;
  readonly kind: string;
  readonly certname: string;
  readonly received_at: string;
  readonly seen_until: string;
  readonly seen_count: number;
  readonly changes: readonly Json[];
  readonly changes_left_out: number;
}
interface Page {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}
const page = (parameters: Json = {}): Promise<Page> => bench.json('timeline', parameters);
const entries = async (parameters: Json = {}): Promise<readonly Entry[]> => (await page(parameters)).entries;

const send = (command: string, certname: string, hours: number, payload: unknown): Promise<unknown> =>
  bench.projection.submit(command, certname, { payload, receivedAt: start + hours * hour });
const facts = (certname: string, hours: number, values: unknown, over: Json = {}): Promise<unknown> =>
  send('replace facts', certname, hours, factset(certname, values, { producer_timestamp: at(hours), ...over }));
const resources = (certname: string, hours: number, all: unknown, edges: unknown = [], over: Json = {}) =>
  send('replace catalog', certname, hours, catalog(certname, all, edges, { producer_timestamp: at(hours), ...over }));
const run = (certname: string, hours: number, status: string, events: unknown[] = []): Promise<unknown> =>
  send(
    'store report',
    certname,
    hours,
    report(certname, events, { status, producer_timestamp: at(hours), start_time: at(hours), end_time: at(hours) }),
  );

describe('a node', () => {
  const packages = (version: string) => ({
    package_inventory: [
      ['openssl', version, 'apt'],
      ['zsh', '5', 'apt'],
    ],
  });
  const os = (full: string, uptime: number) => ({ os: { name: 'Debian', release: { full } }, uptime, exact: 1 });

  beforeAll(async () => {
    await facts('web1', 1, os('12.6', 1), packages('3.0.7'));
    await resources('web1', 1, [resource('/a'), resource('/b')], [edge('/a', '/b')]);
    await run('web1', 1, 'unchanged');
    await facts('web1', 2, os('12.6', 2), packages('3.0.7'));
    await resources('web1', 2, [resource('/a'), resource('/b')], [edge('/a', '/b')], { version: '2' });
    await run('web1', 2, 'unchanged');
    await facts('web1', 3, os('12.7', 3), packages('3.0.9'));
    await resources(
      'web1',
      3,
      [resource('/a', { parameters: { ensure: 'absent' } }), resource('/c')],
      [edge('/a', '/c')],
      {
        code_id: 'abc',
        environment: 'staging',
      },
    );
    await run('web1', 3, 'failed', [event('mode', { status: 'failure', message: 'no\u001bspace' })]);
    await send('deactivate node', 'web1', 4, { certname: 'web1', producer_timestamp: at(4) });
    await facts('web1', 5, os('12.7', 5), packages('3.0.9'));
    await facts('web2', 3, os('12.7', 3), packages('3.0.9'));
    await bench.projection.settle();
    expect(bench.projection.deadLetters).toEqual([]);
  });

  it('has an entry for each document that changed something, the newest first', async () => {
    const found = await entries({ certname: 'web1' });
    expect(
      found.map(({ kind, received_at, seen_until, seen_count }) => [kind, received_at, seen_until, seen_count]),
    ).toEqual([
      ['returned', at(5), at(5), 1],
      ['deactivated', at(4), at(4), 1],
      ['report', at(3), at(3), 1],
      ['catalog', at(3), at(3), 1],
      ['packages', at(3), at(5), 2],
      ['facts', at(3), at(5), 2],
      ['report', at(1), at(2), 2],
      ['catalog', at(1), at(2), 2],
      ['packages', at(1), at(2), 2],
      ['facts', at(1), at(2), 2],
    ]);
  });

  it('says what each document changed', async () => {
    const found = await entries({ certname: 'web1', from: at(2), to: at(4) });
    expect(Object.fromEntries(found.map(({ kind, changes }) => [kind, changes]))).toEqual({
      facts: [{ part: 'facts', change: 'changed', path: ['os', 'release', 'full'], old: '12.6', new: '12.7' }],
      packages: [
        { part: 'packages', change: 'changed', name: 'openssl', provider: 'apt', old: ['3.0.7'], new: ['3.0.9'] },
      ],
      catalog: [
        { part: 'environment', change: 'changed', old: 'production', new: 'staging' },
        { part: 'code_id', change: 'changed', old: null, new: 'abc' },
        {
          part: 'resources',
          change: 'changed',
          type: 'File',
          title: '/a',
          changes: [{ change: 'changed', path: ['parameters', 'ensure'], old: 'file', new: 'absent' }],
        },
        { part: 'resources', change: 'removed', type: 'File', title: '/b', old: expect.objectContaining({ line: 7 }) },
        { part: 'resources', change: 'added', type: 'File', title: '/c', new: expect.objectContaining({ line: 7 }) },
        expect.objectContaining({ part: 'edges', change: 'removed', target_title: '/b' }),
        expect.objectContaining({ part: 'edges', change: 'added', target_title: '/c' }),
      ],
      report: [
        { part: 'status', change: 'changed', old: 'unchanged', new: 'failed' },
        {
          part: 'events',
          status: 'failure',
          resource_type: 'File',
          resource_title: '/a',
          property: 'mode',
          old_value: 'old',
          new_value: 'new',
          message: 'no\u001bspace',
        },
      ],
    });
    for (const entry of found) expect(entry.changes_left_out).toBe(0);
    expect(found.find(({ kind }) => kind === 'report')).toMatchObject({
      id: expect.stringMatching(/^[-0-9a-f]{36}\/report$/),
      certname: 'web1',
      producer_timestamp: at(3),
      environment: 'production',
      producer: 'puppet.test',
      status: 'failed',
      report: expect.stringMatching(/^[0-9a-f]{40}$/),
      position: { partition: expect.any(Number), offset: expect.any(Number) },
      added: 0,
      changed: 1,
      removed: 0,
    });
  });

  it.each([
    [{ path: 'os.release.full' }, ['web1 3', 'web2 3', 'web1 1']],
    [{ path: 'os.release', certname: 'web1' }, ['web1 3', 'web1 1']],
    [{ path: 'exact' }, ['web2 3', 'web1 1']],
    [{ path: 'nothing' }, []],
    [{ resource: 'File[/a]' }, ['web1 3', 'web1 1']],
    [{ resource: 'File[/b]', certname: 'web1' }, ['web1 3', 'web1 1']],
    [{ resource: 'File[/d]' }, []],
    [{ package: 'openssl' }, ['web1 3', 'web2 3', 'web1 1']],
    [{ package: 'zsh', certname: 'web1' }, ['web1 1']],
  ])('has the history of one thing: %j', async (parameters, expected) => {
    const found = await entries(parameters);
    const shown = found.map(({ certname, received_at }) => `${certname} ${(Date.parse(received_at) - start) / hour}`);
    expect([...shown].sort()).toEqual([...expected].sort());
    for (const { changes } of found) expect(changes).toHaveLength(1);
  });

  it('shows the change of this thing only', async () => {
    const [entry] = await entries({ certname: 'web1', resource: 'File[/b]' });
    expect(entry?.changes).toEqual([expect.objectContaining({ change: 'removed', title: '/b' })]);
    const [first] = (await entries({ certname: 'web1', path: 'os.release.full' })).slice(-1);
    expect(first?.changes).toEqual([
      { part: 'facts', change: 'added', path: ['os'], new: { name: 'Debian', release: { full: '12.6' } } },
    ]);
  });

  it('chooses entries by kind, status and time', async () => {
    expect((await entries({ kind: 'report,catalog', certname: 'web1' })).map(({ kind }) => kind)).toEqual([
      'report',
      'catalog',
      'report',
      'catalog',
    ]);
    expect((await entries({ status: 'failed' })).map(({ received_at }) => received_at)).toEqual([at(3)]);
    expect(await entries({ from: at(6) })).toEqual([]);
  });

  it.each([{}, { certname: 'web1' }, { path: 'os.release.full' }])(
    'gives the same entries page by page: %j',
    async (parameters) => {
      const whole = await entries(parameters);
      for (const limit of [1, 3]) {
        const found: Entry[] = [];
        for (let after: string | null | undefined; after !== null;) {
          const { entries: some, next }: Page = await page({
            ...parameters,
            limit: String(limit),
            ...(after && { after }),
          });
          expect(some.length).toBeLessThanOrEqual(limit);
          found.push(...some);
          after = next;
        }
        expect(found).toEqual(whole);
      }
    },
  );

  it.each([
    [{ kind: 'fact' }, 400, 'query.parameter', "no kind 'fact'"],
    [{ path: 'uptime' }, 400, 'query.parameter', "'uptime' is volatile"],
    [{ path: 'a', resource: 'File[b]' }, 400, 'query.parameter', 'path or resource'],
    [{ resource: 'File' }, 400, 'query.parameter', 'File[/etc/motd]'],
    [{ package: '' }, 400, 'query.parameter', 'no package'],
    [{ limit: '201' }, 400, 'query.parameter', '1 to 200'],
    [{ after: '[1]' }, 400, 'query.parameter', 'after is not the key'],
    [{ after: '["2026-99-01T00:00:00.000Z",0,1,"1","facts"]' }, 400, 'query.parameter', 'after is not the key'],
    [
      { after: '["2026-01-01T00:00:00.000Z",0,1,"9223372036854775808","facts"]' },
      400,
      'query.parameter',
      'after is not',
    ],
    [{ from: 'last week' }, 400, 'query.as-of', 'last week'],
    [{ from: '1@2026-01-01' }, 400, 'query.parameter', 'positions'],
    [{ certname: 'web3' }, 404, 'query.record', 'web3'],
  ])('refuses %j', async (parameters, status, code, text) => {
    const [foundStatus, foundCode, foundText] = await bench.refusal('timeline', parameters);
    expect([foundStatus, foundCode]).toEqual([status, code]);
    expect(foundText).toContain(text);
  });
});

describe('heavy documents', () => {
  it('names the first changes, counts the others, and cuts off long values', async () => {
    const many = (value: string) => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, value]));
    await facts('heavy', 1, { ...many('a'), long: 'x'.repeat(3_000), huge: 'y'.repeat(3_000_000) });
    await facts('heavy', 2, { ...many('a'), long: `${'x'.repeat(3_000)}!`, huge: `${'y'.repeat(3_000_000)}!` });
    await facts('heavy', 3, { ...many('b'), long: `${'x'.repeat(3_000)}!`, huge: `${'y'.repeat(3_000_000)}!` });
    await facts('heavy', 4, { ...many('b'), list: Array.from({ length: 1_000 }, (_, index) => ({ index })) });
    await facts('heavy', 5, { ...many('b'), list: Array.from({ length: 1_000 }, (_, index) => ({ index: -index })) });
    await bench.projection.settle();
    const found = [...(await entries({ certname: 'heavy' }))].reverse();
    expect(found.map(({ changes, changes_left_out }) => [changes.length, changes_left_out])).toEqual([
      [100, 202],
      [2, 0],
      [100, 200],
      [3, 0],
      [100, 899],
    ]);
    const [, lengthened] = found;
    for (const change of lengthened!.changes) {
      for (const value of [change['old'], change['new']] as string[]) {
        expect(value.length).toBeLessThanOrEqual(1_001);
        expect(value.endsWith('…')).toBe(true);
      }
    }
  });
});

it('applied one after the other, the changes make the state of each moment, for random schedules', async () => {
  const schedules = fc.sample(
    fc.array(fc.tuple(randomState, fc.integer({ min: 0, max: 15 })), { minLength: 2, maxLength: 8 }),
    { numRuns: 12, seed: 31 },
  );
  const histories = schedules.map((steps) => {
    const states: State[] = [];
    for (const [next, changes] of steps) {
      const old = states.at(-1);
      states.push(old === undefined ? next : mixed(old, next, changes));
    }
    return states;
  });
  for (const [node, states] of histories.entries())
    for (const [index, { facts: values, packages, resources: all, edges }] of states.entries()) {
      await facts(`random${node}`, 10 + index, { ...values, uptime: index }, { package_inventory: packages });
      await resources(`random${node}`, 10 + index, all, edges);
    }
  await bench.projection.settle();
  expect(bench.projection.deadLetters).toEqual([]);
  for (const [node, states] of histories.entries()) {
    const found = [...(await entries({ certname: `random${node}`, limit: '200' }))].reverse();
    for (const kind of ['facts', 'catalog'])
      expect(sum(found.filter((entry) => entry.kind === kind).map(({ seen_count }) => seen_count))).toBe(states.length);
    let model = emptyModel();
    for (const [index, state] of states.entries()) {
      const now = found.filter(({ received_at }) => received_at === at(10 + index));
      const before = index === 0 ? emptyModel() : modelOf(states[index - 1]!);
      const after = modelOf(state);
      // An entry for the first catalog of a node lists no edges.
      expect(now.map(({ kind }) => kind).sort()).toEqual(
        [
          ...(index === 0 || differs(before.facts, after.facts) ? ['facts'] : []),
          ...(differs(before.packages, after.packages) ? ['packages'] : []),
          ...(index === 0 || differs([before.resources, before.edges], [after.resources, after.edges])
            ? ['catalog']
            : []),
        ].sort(),
      );
      if (index === 0) model = { ...model, edges: after.edges };
      for (const { changes, changes_left_out } of now) {
        expect(changes_left_out).toBe(0);
        for (const change of changes) model = applied(model, change);
      }
      expect(model).toEqual(after);
    }
  }
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

interface Model {
  readonly facts: Json;
  readonly packages: readonly string[];
  readonly resources: Json;
  readonly edges: readonly string[];
}
const emptyModel = (): Model => ({ facts: {}, packages: [], resources: {}, edges: [] });
const differs = (a: unknown, b: unknown): boolean => {
  try {
    expect(a).toEqual(b);
    return false;
  } catch {
    return true;
  }
};

type EdgeDocument = Record<'source' | 'target', { type: string; title: string }> & { relationship: string };

const modelOf = ({ facts: values, packages, resources: all, edges }: State): Model => ({
  facts: values,
  packages: packages.map(([name, version, provider]) => JSON.stringify([name, provider, version])).sort(),
  resources: Object.fromEntries(
    all.map(({ type, title, ...others }) => [`${String(type as string)}[${String(title as string)}]`, others]),
  ),
  edges: (edges as unknown as EdgeDocument[])
    .map(({ source, target, relationship }) =>
      JSON.stringify([source.type, source.title, relationship, target.type, target.title]),
    )
    .sort(),
});

/** Applies a change. This code is independent of the code that finds changes. */
function applied(model: Model, change: Json): Model {
  const set = (list: readonly string[], gone: readonly string[], come: readonly string[]): readonly string[] =>
    [...list.filter((one) => !gone.includes(one)), ...come].sort();
  switch (change['part']) {
    case 'facts': {
      const copy = structuredClone(model.facts);
      applyAt(copy, change);
      return { ...model, facts: copy };
    }
    case 'packages': {
      const { name, provider, old, new: next } = change as Record<string, string[]>;
      const keys = (versions: readonly string[]) =>
        versions.map((version) => JSON.stringify([name, provider, version]));
      return { ...model, packages: set(model.packages, keys(old!), keys(next!)) };
    }
    case 'resources': {
      const copy = structuredClone(model.resources);
      const name = `${String(change['type'])}[${String(change['title'])}]`;
      if (change['change'] === 'removed') delete copy[name];
      else if (change['change'] === 'added') copy[name] = change['new'];
      else for (const one of change['changes'] as Json[]) applyAt(copy[name] as Json, one);
      return { ...model, resources: copy };
    }
    case 'edges': {
      const key = JSON.stringify(
        ['source_type', 'source_title', 'relationship', 'target_type', 'target_title'].map((name) => change[name]),
      );
      const isNew = change['change'] === 'added';
      return { ...model, edges: set(model.edges, isNew ? [] : [key], isNew ? [key] : []) };
    }
    default:
      throw new Error(`unexpected part ${JSON.stringify(change)}`);
  }
}

function applyAt(root: Json, { change, path, new: next }: Json): void {
  const elements = path as (string | number)[];
  let parent = root as Record<string | number, unknown>;
  for (const element of elements.slice(0, -1)) parent = parent[element] as typeof parent;
  const last = elements.at(-1)!;
  if (change !== 'removed') parent[last] = next;
  else if (Array.isArray(parent)) parent.pop();
  else delete parent[last];
}
