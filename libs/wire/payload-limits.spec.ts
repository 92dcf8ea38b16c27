/**
 * Tests that every reader refuses documents over a limit, and that the time of reading grows linearly with the size of
 * the payload.
 */
import { isFault } from '#fault';
import { defaultLimits, highestLimits, type LimitName, settingOfLimit } from '#limits';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { readAgentReport } from './agent-report/read-agent-report';
import type { WireFactset } from './documents';
import { JsonScan } from './json/scan';
import { readCommand } from './read-command';

const certname = 'web1.test';
interface Sent {
  readonly command: string;
  readonly version: number;
  readonly text: string;
}
const facts = (values: string, version = 5): Sent => ({
  command: 'replace facts',
  version,
  text: JSON.stringify(factset(certname, 'HERE')).replace('"HERE"', () => values),
});
const sent = (command: string, version: number, document: object): Sent => ({
  command,
  version,
  text: JSON.stringify(document),
});
const read = ({ command, version, text }: Sent, over: Partial<Record<LimitName, number>> = {}, known = {}): unknown =>
  readCommand({ command, version, certname }, Buffer.from(text), { limits: { ...defaultLimits, ...over }, ...known });
const refusal = (sentDocument: Sent, over: Partial<Record<LimitName, number>> = {}): string => {
  try {
    read(sentDocument, over);
  } catch (error) {
    if (isFault(error)) return `${error.code} ${error.message} ${error.hint ?? ''}`;
    throw error;
  }
  return 'accepted';
};
const list = <T>(count: number, make: (place: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const inventory = (count: number): Sent =>
  sent('replace facts', 5, factset(certname, {}, { package_inventory: list(count, (i) => [`p${i}`, '1', 'apt']) }));
const catalogOf = (resources: number, edges: number): Sent =>
  sent(
    'replace catalog',
    9,
    catalog(
      certname,
      list(resources, (i) => resource(`/${i}`)),
      list(edges, (i) => edge('/0', `/${i % resources}`)),
    ),
  );
const reportOf = (over: object): Sent => sent('store report', 8, report(certname, [], over as Record<string, unknown>));
const status = (title: string, events: object[], over: object = {}): object => ({
  resource_type: 'File',
  resource_title: title,
  file: null,
  line: null,
  skipped: false,
  timestamp: '2026-01-01T00:00:01.000Z',
  containment_path: ['Stage[main]'],
  corrective_change: false,
  events,
  ...over,
});
const log = { file: null, line: null, level: 'info', message: '', source: '', tags: [], time: '2026-01-01T00:00:00Z' };
const oldEvents = (count: number): Sent => {
  const newer = ['resources', 'catalog_uuid', 'producer'];
  const rest = Object.fromEntries(Object.entries(report(certname, [])).filter(([name]) => !newer.includes(name)));
  const one = { ...event('p'), resource_type: 'A', resource_title: 't', file: null, line: null, containment_path: [] };
  return sent('store report', 5, { ...rest, resource_events: list(count, () => one) });
};

describe('a payload', () => {
  it.each<[LimitName, (count: number) => Sent]>([
    ['factLeaves', (count) => facts(`{"a":[${list(count, () => 1).join()}]}`)],
    ['factLeaves', (count) => facts(`{${list(count, (i) => `"f${i}":{}`).join()}}`, 4)],
    ['packages', inventory],
    ['resources', (count) => catalogOf(count, 0)],
    ['edges', (count) => catalogOf(3, count)],
    ['resources', (count) => reportOf({ resources: list(count, (i) => status(`/${i}`, [])) })],
    [
      'events',
      (count) =>
        reportOf({
          resources: [
            status(
              '/a',
              list(count, (i) => event(`p${i}`)),
            ),
          ],
        }),
    ],
    ['events', (count) => reportOf({ resources: list(count, (i) => status(`/${i}`, [], { skipped: true })) })],
    ['events', oldEvents],
    ['logs', (count) => reportOf({ logs: list(count, () => log) })],
    ['metrics', (count) => reportOf({ metrics: list(count, () => ({ category: 'a', name: 'b', value: 1 })) })],
    [
      'inputs',
      (count) =>
        sent('replace catalog inputs', 1, {
          certname,
          catalog_uuid: '0f0e0d0c-0b0a-4908-8706-050403020100',
          inputs: list(count, (i) => ['hiera', `k${i}`]),
        }),
    ],
  ])('may have as many %s as the limit says, and no more', (name, make) => {
    const limits = { [name]: 100 };
    expect(refusal(make(100), limits)).toBe('accepted');
    expect(refusal(make(101), limits)).toMatch(
      new RegExp(`^wire\\.limit Too large: more than 100 .*${settingOfLimit(name)?.key ?? 'are allowed'}`),
    );
  });

  it('counts what each event shares with its resource', () => {
    const document = reportOf({
      resources: [
        status(
          't'.repeat(1_000),
          list(20, (i) => event(`p${i}`)),
        ),
      ],
    });
    expect(refusal(document, { eventCharacters: 20 * (1_000 + 'File'.length + 'Stage[main]'.length + 1) })).toBe(
      'accepted',
    );
    expect(refusal(document, { eventCharacters: 20_000 })).toMatch(/once for each of its events/);
  });

  it.each<[string, Sent]>([
    ['a fact', facts(`{"a":[${'1,'.repeat(2_000)}1]}`)],
    ['a field that nobody knows', sent('replace catalog', 9, catalog(certname, [], [], { x: list(2_000, () => 1) }))],
    ['what is no JSON', facts(','.repeat(2_000))],
  ])('may have this many values in all: %s', (_, document) => {
    expect(refusal(document, { documentValues: 2_000 })).toMatch(/^wire\.limit .*values in a payload/);
    expect(refusal(document, { documentValues: 2_100 })).not.toMatch(/wire\.limit/);
  });

  it('counts no commas and brackets within strings', () => {
    expect(refusal(facts(`{"a":"${'[,{\\",\\\\'.repeat(1_000)}"}`), { documentValues: 1_000 })).toBe('accepted');
  });

  it('may nest as deep as the limit says', () => {
    expect(refusal(facts(`{"a":${'['.repeat(48)}${']'.repeat(48)}}`), { documentDepth: 50 })).toBe('accepted');
    expect(refusal(facts(`{"a":${'['.repeat(49)}${']'.repeat(49)}}`), { documentDepth: 50 })).toMatch(
      /more than 50 levels of nesting/,
    );
  });

  it('is judged without the facts that are not stored', () => {
    const document = facts(`{"big":[${'1,'.repeat(200)}1],"b":1}`);
    const limits = { ...defaultLimits, factLeaves: 100 };
    const dropFact = (name: string): boolean => name === 'big';
    const factset = readCommand({ command: 'replace facts', version: 5, certname }, Buffer.from(document.text), {
      limits,
      dropFact,
    }) as WireFactset;
    expect(factset.facts.map(({ name }) => name)).toEqual(['b']);
  });

  it('is judged by itself, not by what is known of the node', () => {
    const { command, version, text } = sent(
      'replace catalog',
      9,
      catalog(certname, [resource('/a')], [], { x: list(2_000, () => 1) }),
    );
    const first = readCommand({ command, version, certname }, Buffer.from(text)) as { sections: object };
    const known = { catalog: { ...first.sections, hash: '' } };
    expect(() => read({ command, version, text }, { documentValues: 1_500 }, known)).toThrow('lists, maps and values');
  });
});

describe("an agent's report", () => {
  const agentReport = (over: object): Buffer =>
    Buffer.from(
      JSON.stringify({
        host: certname,
        time: '2026-01-01T00:00:00Z',
        configuration_version: 1,
        report_format: 9,
        agent_version: '8',
        status: 'changed',
        transaction_completed: true,
        noop: false,
        noop_pending: false,
        environment: 'production',
        resource_statuses: {},
        logs: [],
        metrics: { time: { name: 'time', label: 'Time', values: [] } },
        ...over,
      }),
    );
  const one = (events: number, title = 't'): object => ({
    resource_type: 'File',
    title,
    change_count: 1,
    out_of_sync_count: 1,
    tags: [],
    skipped: false,
    containment_path: [],
    events: list(events, () => ({
      audited: false,
      property: 'p',
      message: '',
      name: 'n',
      status: 'success',
      time: '2026-01-01T00:00:00Z',
    })),
  });

  it.each<[LimitName, (count: number) => object]>([
    ['resources', (count) => ({ resource_statuses: Object.fromEntries(list(count, (i) => [`r${i}`, one(0)])) })],
    ['events', (count) => ({ resource_statuses: { a: one(count) } })],
    [
      'logs',
      (count) => ({
        logs: list(count, () => ({ level: 'info', message: '', source: '', tags: [], time: '2026-01-01T00:00:00Z' })),
      }),
    ],
    [
      'metrics',
      (count) => ({
        metrics: { time: { name: 'time', label: 'Time', values: list(count, (i) => [`m${i}`, 'M', 1]) } },
      }),
    ],
  ])('may have as many %s as the limit says, and no more', (name, make) => {
    const limits = { ...defaultLimits, [name]: 100 };
    expect(() => readAgentReport(agentReport(make(100)), 0, limits)).not.toThrow();
    expect(() => readAgentReport(agentReport(make(101)), 0, limits)).toThrow(
      expect.objectContaining({ code: 'wire.limit', kind: 'malformed' }),
    );
  });

  it('counts what each event shares with its resource, and all values', () => {
    const bytes = agentReport({ resource_statuses: { a: one(30, 't'.repeat(1_000)) } });
    expect(() => readAgentReport(bytes, 0, { ...defaultLimits, eventCharacters: 30_000 })).toThrow(
      'once for each of its events',
    );
    expect(() => readAgentReport(bytes, 0, { ...defaultLimits, documentValues: 100 })).toThrow('values in a payload');
  });

  it('takes no endless time for one: it stands in each row', () => {
    expect(() => readAgentReport(agentReport({ time: `2026-01-01T00:00:00.${'0'.repeat(100)}Z` }), 0)).toThrow(
      'ISO 8601',
    );
  });
});

describe('an error text', () => {
  const long = 'x'.repeat(100_000);
  it.each<[string, () => unknown]>([
    ['a field', () => read(sent('replace facts', 5, factset(certname, {}, { [long]: 1 })))],
    ['a value', () => read(sent('replace facts', 5, factset(certname, {}, { producer_timestamp: long })))],
    ['a certname', () => read(sent('replace facts', 5, factset(long, {})))],
    [
      'control characters',
      () => read(sent('replace facts', 5, factset(certname, {}, { producer_timestamp: '\u0001'.repeat(1_000) }))),
    ],
    ['an edge', () => read(sent('replace catalog', 9, catalog(certname, [], [edge(long, long)])))],
    ['a command', () => read({ command: long, version: 1, text: '{}' })],
  ])('quotes little of %s', (_, act) => {
    let fault: unknown;
    try {
      act();
    } catch (error) {
      fault = error;
    }
    if (!isFault(fault)) throw new Error('nothing was refused');
    expect(fault.message.length).toBeLessThan(1_000);
    expect(JSON.stringify(fault.details ?? '').length).toBeLessThan(4_000);
  });
});

/** Counts the characters that the readers examine. This number does not depend on the load of the machine. */
function scanned(act: () => void): number {
  let count = 0;
  const spies = (['skip', 'string', 'space'] as const).map((name) => {
    const { value: real } = Object.getOwnPropertyDescriptor(JsonScan.prototype, name) as {
      value: (this: JsonScan, pos: number, depth?: number) => number;
    };
    return jest.spyOn(JsonScan.prototype, name).mockImplementation(function (this: JsonScan, ...args: unknown[]) {
      const [pos, depth] = args as [number, number | undefined];
      const end = real.call(this, pos, depth);
      count += end - pos + 1;
      return end;
    });
  });
  try {
    act();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}

/** Returns the processor time in milliseconds, the minimum of several runs. */
function processorTime(act: () => void): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

describe('the work', () => {
  const roomy = highestLimits;
  const leaves = (document: Sent): void => {
    const { facts: all } = read(document, roomy) as WireFactset;
    for (const fact of all) for (const leaf of fact.leaves()) expect(leaf.path.length).toBeGreaterThan(0);
  };
  it.each<[string, (size: number) => Sent]>([
    ['deep nesting', (size) => facts(`{"a":${'['.repeat(size)}1${']'.repeat(size)}}`)],
    ['deep nesting around much', (size) => facts(`{"a":${'['.repeat(size)}${'1,'.repeat(size)}1${']'.repeat(size)}}`)],
    [
      'keys that come again',
      (size) =>
        facts(
          `{"a":{${list(size, (i) => `"e${i}":{}`).join()},${list(size, () => '"a":1').join()},${list(size, (i) => `"e${i}":{}`).join()}}}`,
        ),
    ],
    ['long strings of escapes', (size) => facts(`{"a":"${'\\n\\u0001'.repeat(size)}"}`)],
    ['long numbers', (size) => facts(`{"a":1e${'0'.repeat(size)}1,"b":[${list(10, () => '9'.repeat(900)).join()}]}`)],
  ])('on %s grows with the text', (_, make) => {
    const [small, large] = [make(100), make(900)];
    const [few, many] = [small, large].map((one) => scanned(() => leaves(one))) as [number, number];
    expect(many / few).toBeLessThan((2 * large.text.length) / small.text.length);
  });

  it('on keys that come again after a long run of others grows with the text', () => {
    const document = (size: number): Sent =>
      facts(
        `{"a":{${list(size, (i) => `"e${i}":{}`).join()},${list(size, () => '"a":1').join()},${list(size, (i) => `"e${i}":{}`).join()}}}`,
      );
    const [few, many] = [4_000, 32_000].map((size) => processorTime(() => leaves(document(size)))) as [number, number];
    expect(many / few).toBeLessThan(30);
  });
});
