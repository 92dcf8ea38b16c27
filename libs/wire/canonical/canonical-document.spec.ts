import { Fleet } from '#fleet';
import { defaultLimits } from '#limits';
import { catalog, edge, event, factset, report } from '../../../test/support/documents';
import type { WireDocument } from '../documents';
import { rewrite, storedStyle } from '../json/rewrite';
import { readCommand } from '../read-command';
import { canonicalDocument } from './canonical-document';

const newest: Readonly<Record<string, number>> = {
  'replace facts': 5,
  'replace catalog': 9,
  'store report': 8,
  'replace catalog inputs': 1,
};
const receivedAt = '2026-02-03T04:05:06.789Z';

const canonical = (command: string, version: number, text: string, dropFact?: (name: string) => boolean): string =>
  canonicalDocument({ command, version, certname: 'a' }, Buffer.from(text), {
    limits: defaultLimits,
    dropFact,
    receivedAt,
  });

/**
 * Returns the meaning of a document as plain data. Leaves out the digests of sections, which depend on bytes, and the
 * order of resources.
 */
function meaning(document: WireDocument): unknown {
  if (document.kind === 'facts') {
    const facts = document.facts.map((fact) => ({
      name: fact.name,
      value: rewrite(fact.value(), 0, storedStyle),
      spelled: fact.spelled(),
      leaves: [...fact.leaves()].map((leaf) => JSON.stringify(leaf)).sort(),
    }));
    facts.sort((x, y) => (x.name < y.name ? -1 : 1));
    const { packages, hash } = document;
    return {
      ...document,
      sentValues: undefined,
      makeInventory: undefined,
      madeInventory: undefined,
      madeHash: undefined,
      size: undefined,
      facts,
      packages,
      hash,
    };
  }
  if (document.kind === 'catalog') {
    const { content, ...head } = document;
    const resources = [...content!.resources].sort((x, y) => (x.content < y.content ? -1 : 1));
    return { ...head, sections: undefined, hash: content!.hash, edges: content!.edges, resources };
  }
  return document;
}

function check(command: string, version: number, text: string): string {
  const current = newest[command]!;
  const certname = 'a';
  const once = canonical(command, version, text);
  expect(canonical(command, current, once)).toBe(once);
  const read = (of: number, payload: string): unknown =>
    meaning(readCommand({ command, version: of, certname }, Buffer.from(payload)));
  const expected = read(version, text);
  const filled =
    command === 'replace catalog inputs' ? { producerTimestamp: receivedAt, ...dropNulls(expected) } : expected;
  expect(read(current, once)).toEqual(filled);
  return once;
}

const dropNulls = (value: unknown): object =>
  Object.fromEntries(Object.entries(value as object).filter(([, one]) => one !== null));

const odd =
  '{"z":1.50,"a":{"y":[1e21,-0,12345678901234567890123,0.1e-3],"\\u0062":"\\u0000x\\ud800/\\/"},"a2":{},"f":1.0,"n":null}';

describe('canonicalDocument', () => {
  it('sorts keys and spells values in one way', () => {
    const text = `{"values":{"b":[1.50,{"y":1E2,"x":"\\u00e9\\/"}],"a":true},"producer_timestamp":"2026-01-01T01:00:00+01:00",
      "certname":"a","environment":null,"producer":"p","timestamp":"now","package_inventory":[["z","1","apt"],["b","1","apt"],["z","1","apt"]]}`;
    expect(check('replace facts', 5, text)).toBe(
      '{"certname":"a","environment":null,"package_inventory":[["b","1","apt"],["z","1","apt"]],"producer":"p",' +
        '"producer_timestamp":"2026-01-01T00:00:00.000Z","values":{"a":true,"b":[1.5,{"x":"é/","y":100.0}]}}',
    );
  });

  it.each([
    [
      'facts 4',
      'replace facts',
      4,
      `{"certname":"a","environment":"e","producer_timestamp":"2026-01-01","producer":"x","values":${odd}}`,
    ],
    ['facts 5', 'replace facts', 5, JSON.stringify(factset('a', { a: 1 }, { package_inventory: [] }))],
    [
      'inputs',
      'replace catalog inputs',
      1,
      '{"certname":"a","catalog_uuid":"{0A000000-0000-4000-8000-000000000001}","inputs":[["b","c"],["a","b"],["b","c"]],"more":1}',
    ],
    [
      'inputs with a time',
      'replace catalog inputs',
      1,
      '{"certname":"a","producer_timestamp":0,"catalog_uuid":"0a000000-0000-4000-8000-000000000001"}',
    ],
  ])('keeps the meaning of %s', (_, command, version, text) => {
    check(command, version, text);
  });

  const resources = `[{"type":"File","title":"/b","exported":true,"tags":["z","a","z"],"line":3.0,"file":12,"parameters":${odd},"kind":"x"},
    {"tags":[],"exported":false,"title":"/a","type":"File","parameters":null},{"tags":[],"exported":false,"title":"/c","type":"File","line":null,"file":null}]`;
  const edges = JSON.stringify([edge('/b', '/a'), edge('/a', '/b', 'notifies'), { ...edge('/b', '/a'), more: 1 }]);
  it.each([6, 7, 8, 9])('keeps the meaning of a catalog of version %d', (version) => {
    const document = JSON.stringify(
      catalog('a', 'R', 'E', {
        transaction_uuid: 'A0000000-0000-4000-8000-000000000001',
        api: 1,
        job_id: '7',
        code_id: 'c',
      }),
    );
    const text = check('replace catalog', version, document.replace('"R"', resources).replace('"E"', edges));
    expect(text).not.toMatch(/"(kind|api|more)"/);
  });

  const old = { ...report('a', [event('ensure')], { puppet_version: undefined, agent_version: '7' }) };
  it.each([6, 7, 8])('keeps the meaning of a report of version %d', (version) => {
    const metrics = [{ category: 'time', name: 'total', value: 'V' }];
    const logs = [
      {
        time: '2026-01-01T00:00:00.000000001+01:00',
        tags: ['b', 'a'],
        source: 'P',
        message: 'm\\n',
        line: 1,
        level: 'info',
        file: null,
      },
    ];
    const uuid = '{B0000000-0000-4000-8000-000000000001}';
    const text = JSON.stringify({ ...old, metrics, logs, transaction_uuid: uuid, type: 'plan', job_id: '7' }).replace(
      '"V"',
      '1.250',
    );
    expect(check('store report', version, text)).toContain(`"transaction_uuid":"${uuid}"`);
  });

  it('keeps the meaning of a report of version 5', () => {
    const rest = { ...old, resources: undefined };
    const happened = {
      ...event('ensure'),
      resource_type: 'File',
      resource_title: '/a',
      file: null,
      line: 7,
      containment_path: ['Stage[main]', 'Ntp'],
    };
    const events = [happened, { ...happened, status: 'skipped' }];
    check('store report', 5, JSON.stringify({ ...rest, resource_events: events }));
  });

  it('keeps the meaning of what a fleet sends', () => {
    const run = new Fleet('canonical', 'pretty').run(1, 0, { startTime: new Date(Date.UTC(2026, 0, 1)) });
    for (const { command, version, certname, text } of [run.facts, run.catalog, run.report]) {
      check(command, version, text.replaceAll(`"${certname}"`, '"a"'));
    }
  });

  it('leaves out facts that are dropped', () => {
    const text = JSON.stringify(factset('a', { kept: 1, dropped: 2 }));
    expect(canonical('replace facts', 5, text, (name) => name === 'dropped')).toContain('"values":{"kept":1}');
  });

  it('refuses other commands and documents that cannot be read', () => {
    expect(() => canonical('deactivate node', 3, '{"certname":"a"}')).toThrow('no document');
    expect(() => canonical('replace facts', 9, '{}')).toThrow('Version 9');
    expect(() => canonical('replace catalog', 9, '{"certname":"a"}')).toThrow(
      expect.objectContaining({ code: 'wire.shape' }),
    );
  });
});
