import fc from 'fast-check';
import { schedulesWithBases } from './arbitraries';
import { BaseRunner, type PlayedBases } from './base-runner';
import type { BaseStep } from './base-steps';
import { propertyRuns } from './schedule-runner';

let runner: BaseRunner;
beforeAll(async () => {
  runner = await BaseRunner.open();
});
afterAll(() => runner.close());

const same = { zone: 'utc', environment: 'production' } as const;
const facts = (node: string, at: number, os = 'debian'): BaseStep => ({
  do: 'facts',
  node,
  at,
  ...same,
  values: { os },
});
const catalog = (node: string, at: number): BaseStep => ({
  ...{ do: 'catalog', node, at, ...same, version: '1', edges: [] },
  files: [{ title: '/a', line: 1, ensure: 'file' }],
});
const report = (node: string, at: number, type: 'agent' | 'plan' = 'agent'): BaseStep => ({
  ...{ do: 'report', node, at, type, version: '1', environment: 'production', status: 'changed' },
  statuses: [
    {
      ...{ title: '/a', skipped: false, path: ['Ntp'] },
      events: [{ property: 'mode', status: 'success', corrective: null }],
    },
  ],
});
const inputs = (node: string, at: number): BaseStep => ({ do: 'inputs', node, at, inputs: [['hiera', 'one']] });
const deactivate = (node: string, at: number): BaseStep => ({ do: 'deactivate', node, at, zone: 'utc' });
const setting = (node: string, at: number, keep: boolean): BaseStep => ({
  ...{ do: 'expiration', node, at, facts: !keep },
});
const expire = (node: string, at: number, before: number): BaseStep => ({ do: 'expire', node, at, before });
const purge = (node: string, before: number): BaseStep => ({ do: 'purge', node, before });
const purgeReports = (node: string, before: number): BaseStep => ({ do: 'purge reports', node, before });
const remove = (node: string): BaseStep => ({ do: 'delete', node });
const again = (which: number, retry: boolean): BaseStep => ({ do: 'again', which, retry });
const everything = (node: string, at: number): BaseStep[] => [
  ...[facts(node, at), catalog(node, at), report(node, at), report(node, at - 1, 'plan'), inputs(node, at)],
];

const restored = (payload: Buffer): string[] =>
  (JSON.parse(payload.toString()) as { nodes: { certname: string }[] }).nodes.map(({ certname }) => certname);

function expectEqual({ pairs, bases, known }: PlayedBases): void {
  for (const { what, whole, fromBase } of pairs) expect({ what, ...fromBase }).toEqual({ what, ...whole });
  for (const [index, base] of bases.entries()) {
    // No row of a deleted node remains, and no record is missing.
    for (const { certname, command, payload } of base) {
      for (const name of command === 'restore nodes' ? restored(payload) : [certname])
        expect(known[index]).toContain(name);
    }
    const places = base.map(({ partition, offset }) => `${partition}/${offset}`);
    expect(new Set(places).size).toBe(places.length);
  }
}

const all = [100, 100];
/** The records of the base, in order. */
const told = (played: PlayedBases, base = 0): unknown[] =>
  (played.bases[base] ?? []).flatMap(({ command, payload }): unknown => {
    if (!command.startsWith('restore node')) return command;
    const document = JSON.parse(payload.toString()) as { readonly nodes?: readonly object[] };
    return (document.nodes ?? [document]).map((one): unknown => ({ ...one, certname: undefined }));
  });
const time = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
const life = (over: object): object => ({
  ...{ deactivated: null, expired: null, expired_cutoff: null, expire_facts: true, expire_facts_updated: null },
  ...over,
});

describe('a base and the tail behind it give the tables that everything gives', () => {
  it.each<[string, BaseStep[], unknown[]]>([
    [
      'a node that expired, then gets an older factset',
      [facts('a', 1, 'rocky'), expire('a', 4, 3), facts('a', 2)],
      [life({ expired: time(4), expired_cutoff: time(3) }), 'replace facts'],
    ],
    [
      'a node that expired behind all that it had',
      [facts('a', 2), catalog('a', 1), expire('a', 4, 3), report('a', 2, 'plan')],
      ['replace facts', 'replace catalog', life({ expired: time(4), expired_cutoff: time(3) }), 'store report'],
    ],
    [
      'a node that came back with facts that are older than its expiry, and then sent nothing that counts',
      [facts('a', 1), expire('a', 9, 3), facts('a', 3), report('a', 2, 'plan'), facts('a', 2)],
      [life({}), 'replace facts', 'store report'],
    ],
    [
      'a node that expired twice',
      [facts('a', 1), expire('a', 9, 2), facts('a', 3), expire('a', 8, 4), facts('a', 3), catalog('a', 1)],
      [life({ expired: time(8), expired_cutoff: time(4) }), 'replace facts', 'replace catalog'],
    ],
    [
      'a node that expired and came back',
      [facts('a', 1), expire('a', 2, 2), facts('a', 3), catalog('a', 1)],
      [life({}), 'replace facts', 'replace catalog'],
    ],
    [
      'a node whose expiration setting was replaced, then refused',
      [setting('a', 1, true), facts('a', 1), setting('a', 3, false), setting('a', 2, true)],
      ['replace facts', life({ expire_facts_updated: time(3) })],
    ],
    [
      'a node that an expiration setting which is too old woke',
      [setting('a', 3, true), deactivate('a', 1), setting('a', 2, false)],
      [life({ expire_facts: false, expire_facts_updated: time(3) })],
    ],
    ['a node of which purged reports alone tell', [report('a', 1), report('a', 2), purgeReports('a', 4)], [life({})]],
    [
      'a node whose purges of reports deleted nothing',
      [report('a', 3, 'plan'), purgeReports('a', 1), purgeReports('a', 2), report('a', 2)],
      ['store report', 'store report'],
    ],
    [
      'a node that is both expired and deactivated',
      [...everything('a', 1), expire('a', 4, 3), deactivate('a', 3), facts('a', 2), facts('a', 3)],
      [
        ...['replace catalog', 'store report', 'store report', 'replace catalog inputs'],
        ...[life({ expired: time(4), expired_cutoff: time(3), deactivated: time(3) }), 'replace facts'],
      ],
    ],
    [
      'plan reports before and after a deactivation',
      [report('a', 1, 'plan'), deactivate('a', 2), report('a', 2, 'plan'), report('b', 4, 'plan'), deactivate('b', 2)],
      ['store report', life({ deactivated: time(2) }), 'store report', 'store report', life({ deactivated: time(2) })],
    ],
    [
      'a plan report that wakes a node, and the deactivation repeated',
      [deactivate('a', 2), report('a', 3, 'plan'), again(0, false)],
      ['store report', life({ deactivated: time(2) })],
    ],
    [
      'nodes that were purged or deleted, and one that came back',
      [
        ...[...everything('a', 1), deactivate('a', 2), purge('a', 3), ...everything('b', 1), setting('b', 1, true)],
        ...[remove('b'), facts('b', 0), purgeReports('a', 4), expire('a', 4, 4)],
      ],
      ['replace facts'],
    ],
    [
      'repeated and retried documents',
      [facts('a', 1), report('a', 1), again(0, true), again(1, false), deactivate('a', 3), again(4, true)],
      ['store report', 'replace facts', life({ deactivated: time(3) })],
    ],
  ])('%s', async (_, steps, expected) => {
    for (const batch of [200, 1]) {
      const played = await runner.play(steps, [all, all], batch);
      expectEqual(played);
      const inOrder = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();
      expect(inOrder(told(played))).toEqual(inOrder(expected));
      expect(told(played, 1)).toEqual(told(played));
    }
  });

  it('keeps the headers of documents, and gives a state the id, the time and the place of what it stands for', async () => {
    const steps = [facts('a', 1), again(0, true), report('a', 1), deactivate('a', 4)];
    const { bases } = await runner.play(steps, [all]);
    const [document, , state] = bases[0] ?? [];
    expect(document).toMatchObject({ command: 'replace facts', offset: 2, headers: { 'retry-of': '0-1' } });
    expect(state).toMatchObject({
      command: 'restore node',
      version: 1,
      offset: 4,
      encoding: 'identity',
      certname: 'a',
    });
    expect(state?.receivedAt).toBe(Date.UTC(2026, 0, 1, 0, 0, 2) + 3);
    expect(state).not.toHaveProperty('headers');
  });

  it('whatever the schedule, wherever the bases end', async () => {
    await fc.assert(
      fc.asyncProperty(schedulesWithBases, async ({ steps, cuts, batch }) => {
        expectEqual(await runner.play(steps, cuts, batch));
      }),
      { numRuns: propertyRuns(40) },
    );
  }, 600_000);
});
