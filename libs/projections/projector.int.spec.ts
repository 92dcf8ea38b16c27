import { randomBytes } from 'node:crypto';
import { positionsOf } from '#database';
import type { LogReader, Position } from '#log';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { until } from '../../test/support/until';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

describe('projector', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(async () => bench.close());

  const facts = (certname: string, values: unknown, seconds = 0): Promise<Position> =>
    bench.submit('replace facts', certname, {
      payload: factset(certname, values, { producer_timestamp: at(seconds) }),
    });

  const storedFacts = async (certname: string): Promise<Record<string, string>> => {
    const rows = await bench.rows<{ name: string; value: string }>(
      `SELECT f.name, f.value::text AS value FROM {schema}.facts f JOIN {schema}.nodes n USING (node) WHERE n.certname = $1`,
      [certname],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  };

  it('writes only what changed: rows of equal facts and resources stay the very rows they were', async () => {
    const versions = (): Promise<unknown[]> =>
      bench.rows(`SELECT 'facts' AS t, name AS k, xmin::text FROM {schema}.facts WHERE name = 'same'
        UNION ALL SELECT 'contents', path::text, xmin::text FROM {schema}.fact_contents
          WHERE path IN (SELECT path FROM {schema}.fact_paths WHERE spelled IN ('same', 'nested#~same'))
        UNION ALL SELECT 'resources', content::text, xmin::text FROM {schema}.catalog_resources
        UNION ALL SELECT 'edges', node::text, xmin::text FROM {schema}.catalog_edges ORDER BY 1, 2`);
    await facts('a', { same: 1, moves: 1, nested: { same: 'x', moves: 1 } }, 1);
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource('/a'), resource('/b')], [edge('/a', '/b')]),
    });
    await bench.settle();
    const before = await versions();
    await facts('a', { same: 1, moves: 2, nested: { same: 'x', moves: 2 } }, 2);
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource('/a'), resource('/b')], [edge('/a', '/b')], { version: '2' }),
    });
    await bench.settle();
    expect(await versions()).toEqual(before);
    expect(before).toHaveLength(6);
    expect(await storedFacts('a')).toEqual({ same: '1', moves: '2', nested: '{"same": "x", "moves": 2}' });
    expect(await bench.rows('SELECT version FROM {schema}.catalogs')).toEqual([{ version: '2' }]);
  });

  it('stores how many events of a report have each status', async () => {
    const statuses = [
      'success',
      'failure',
      'failure',
      'noop',
      'noop',
      'noop',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ];
    await bench.submit('store report', 'a', {
      payload: report(
        'a',
        statuses.map((status, index) => event(`p${index}`, { status, corrective_change: index !== 4 })),
      ),
    });
    await bench.settle();
    const columns = 'successes, failures, noops, skips, corrective_successes, corrective_noops';
    expect(await bench.rows(`SELECT ${columns} FROM {schema}.event_counts`)).toEqual([
      { successes: 1, failures: 2, noops: 3, skips: 4, corrective_successes: 1, corrective_noops: 2 },
    ]);
  });

  it('follows facts and leaves that appear, change their type and vanish', async () => {
    await facts('a', { gone: 1, list: [1, { a: true }], number: 1.0, big: 123456789012345678901234567890 }, 1);
    await bench.settle();
    await facts('a', { list: [1.5], number: '1', new: null }, 2);
    await bench.settle();
    const leaves = await bench.rows<{ spelled: string; type: string; value: string }>(
      `SELECT p.spelled, c.type, c.value::text AS value FROM {schema}.fact_contents c JOIN {schema}.fact_paths p USING (path)
       ORDER BY p.spelled COLLATE "C"`,
    );
    expect(leaves).toEqual([
      { spelled: 'list#~0', type: 'f', value: '1.5' },
      { spelled: 'new', type: 'n', value: 'null' },
      { spelled: 'number', type: 's', value: '"1"' },
    ]);
    expect(Object.keys(await storedFacts('a')).sort()).toEqual(['list', 'new', 'number']);
  });

  it('keeps the spelling of numbers: 1.0 stays 1.0, integers of any size survive', async () => {
    await bench.submit('replace facts', 'a', {
      payload: JSON.stringify(factset('a', 'VALUES')).replace(
        '"VALUES"',
        '{"one":1.0,"big":123456789012345678901234567890,"large":1e21,"long":0.1000000000000000055,"zero":-0.0}',
      ),
    });
    await bench.settle();
    expect(await storedFacts('a')).toEqual({
      one: '1.0',
      big: '123456789012345678901234567890',
      large: '1000000000000000000000',
      long: '0.1',
      zero: '0.0',
    });
  });

  it('drops facts of the blocklist before anything is made of them', async () => {
    await facts('a', { kept: 1, uptime: 2 });
    await facts('b', { kept: 1 });
    bench.dropFact = (name) => name === 'uptime';
    await bench.settle();
    expect(await storedFacts('a')).toEqual({ kept: '1' });
    const paths = await bench.rows('SELECT spelled FROM {schema}.fact_paths');
    expect(paths).toEqual([{ spelled: 'kept' }]);
    const hashes = (): Promise<unknown[]> => bench.rows('SELECT node::text, hash FROM {schema}.factsets ORDER BY node');
    const dropped = await hashes();
    await facts('a', { kept: 1 }, 5);
    await bench.settle();
    expect(await hashes()).toEqual(dropped);
  });

  it('ignores stale documents', async () => {
    await facts('a', { run: 2 }, 2);
    await bench.settle();
    await facts('a', { run: 1 }, 1);
    await bench.settle();
    expect(await storedFacts('a')).toEqual({ run: '2' });
  });

  it('changes a catalog by what differs, and shares equal resources between nodes', async () => {
    const titles = (certname: string): Promise<unknown[]> =>
      bench.rows(
        `SELECT r.title FROM {schema}.catalog_resources c JOIN {schema}.resource_contents r USING (content)
         JOIN {schema}.nodes n USING (node) WHERE n.certname = $1 ORDER BY 1`,
        [certname],
      );
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource('/a'), resource('/b')], [edge('/a', '/b')]),
    });
    await bench.submit('replace catalog', 'b', { payload: catalog('b', [resource('/a')], []) });
    await bench.settle();
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource('/a'), resource('/c')], [edge('/c', '/a', 'notifies')], {
        producer_timestamp: at(5),
      }),
    });
    await bench.settle();
    expect(await titles('a')).toEqual([{ title: '/a' }, { title: '/c' }]);
    expect(await titles('b')).toEqual([{ title: '/a' }]);
    expect(await bench.rows(`SELECT count(*)::int FROM {schema}.resource_contents WHERE title = '/a'`)).toEqual([
      { count: 1 },
    ]);
    expect(
      await bench.rows(`SELECT source_titles, relationships FROM {schema}.catalog_edges WHERE source_titles <> '{}'`),
    ).toEqual([{ source_titles: ['/c'], relationships: ['notifies'] }]);
  });

  it('keeps a catalog of two versions in one batch, the second with unchanged sections', async () => {
    const sections = [[resource('/a')], []] as const;
    await bench.submit('replace catalog', 'a', { payload: catalog('a', ...sections) });
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', ...sections, { version: '2', producer_timestamp: at(9) }),
    });
    await bench.settle();
    expect(await bench.rows('SELECT version FROM {schema}.catalogs')).toEqual([{ version: '2' }]);
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.catalog_resources')).toEqual([{ count: 1 }]);
  });

  it('stores a report once, with its events, counts and its place as the latest', async () => {
    const first = report('a', [event('ensure'), event('mode', { status: 'failure' })]);
    await bench.submit('store report', 'a', { payload: first });
    await bench.submit('store report', 'a', { payload: first });
    await bench.settle();
    await bench.submit('store report', 'a', { payload: first });
    await bench.submit('store report', 'a', {
      payload: report('a', [], { producer_timestamp: at(-60), status: 'unchanged' }),
    });
    await bench.settle();
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.reports')).toEqual([{ count: 2 }]);
    expect(await bench.rows('SELECT property, ordinal FROM {schema}.resource_events ORDER BY ordinal')).toEqual([
      { property: 'ensure', ordinal: 0 },
      { property: 'mode', ordinal: 1 },
    ]);
    expect(await bench.rows('SELECT containing_class, successes, failures FROM {schema}.event_counts')).toEqual([
      { containing_class: 'Ntp', successes: 1, failures: 1 },
    ]);
    expect(await bench.rows('SELECT latest_report_status FROM {schema}.nodes')).toEqual([
      { latest_report_status: 'changed' },
    ]);
    expect(
      await bench.rows('SELECT r.status FROM {schema}.latest_reports l JOIN {schema}.reports r USING (report)'),
    ).toEqual([{ status: 'changed' }]);
  });

  it.each([1, 200])(
    'an agent report with the hash of a stored plan report is the same report (batches of %s)',
    async (n) => {
      const plan = report('a', [], { type: 'plan', status: 'failed' });
      await bench.submit('store report', 'a', { payload: plan });
      await bench.submit('store report', 'a', { payload: { ...plan, type: 'agent', status: 'changed' } });
      await bench.submit('replace facts', 'a', { payload: factset('a', {}) });
      await bench.settle(bench.generation, { batchRecords: n });
      expect(await bench.rows('SELECT type, status FROM {schema}.reports')).toEqual([
        { type: 'plan', status: 'failed' },
      ]);
      expect(await bench.rows('SELECT latest_report_hash FROM {schema}.nodes')).toEqual([{ latest_report_hash: null }]);
      expect(await bench.rows('SELECT node FROM {schema}.latest_reports')).toEqual([]);
    },
  );

  it.each([1, 200])('it stays so where several of them come together, the newest first (batches of %s)', async (n) => {
    const plans = [1, 2].map((second) => report('a', [], { type: 'plan', producer_timestamp: at(second) }));
    for (const plan of plans) await bench.submit('store report', 'a', { payload: plan });
    await bench.settle();
    for (const plan of plans.reverse()) {
      await bench.submit('store report', 'a', { payload: { ...plan, type: 'agent' } });
    }
    await bench.settle(bench.generation, { batchRecords: n });
    expect(await bench.rows('SELECT type FROM {schema}.reports')).toEqual([{ type: 'plan' }, { type: 'plan' }]);
    expect(await bench.rows('SELECT latest_report_hash FROM {schema}.nodes')).toEqual([{ latest_report_hash: null }]);
    expect(await bench.rows('SELECT node FROM {schema}.latest_reports')).toEqual([]);
  });

  it('makes dead letters of records that cannot be applied, and applies all others', async () => {
    // A long text that does not compress does not fit into an index row. Only the database can detect this.
    const endless = randomBytes(6_000).toString('hex');
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const raw = (certname: string, values: string): string =>
      JSON.stringify(factset(certname, 'VALUES')).replace('"VALUES"', values);
    const poisons: [string, string, unknown][] = [
      ['replace facts', 'not-json', '{"certname": '],
      ['replace facts', 'invalid-utf8', Buffer.from([0x7b, 0xff, 0x7d])],
      ['replace facts', 'huge-number', raw('huge-number', '{"a":1e200000}')],
      ['replace facts', 'deep', raw('deep', `{"a":${deep}}`)],
      ['replace facts', 'other-certname', factset('somebody-else', {})],
      ['replace facts', 'no-values', factset('no-values', undefined)],
      ['replace facts', 'bad-time', factset('bad-time', {}, { producer_timestamp: 'yesterday' })],
      ['replace catalog', 'edge-to-nowhere', catalog('edge-to-nowhere', [resource('/a')], [edge('/a', '/nowhere')])],
      ['replace catalog', 'twice', catalog('twice', [resource('/a'), resource('/a')], [])],
      ['store report', 'no-events', report('no-events', [{}])],
      ['replace facts', endless, factset(endless, {})],
    ];
    for (const [command, certname, payload] of poisons) {
      await facts(`before-${poisons.length}`, { fine: true });
      await bench.submit(command, certname, { payload });
    }
    await bench.submit('replace facts', 'future', { payload: factset('future', {}), version: 99 });
    await facts('survivor', { fine: true });
    await bench.settle();
    expect(await storedFacts('survivor')).toEqual({ fine: 'true' });
    const letters = await bench.rows<{ certname: string; error: string; size: number }>(
      `SELECT certname, error, length(payload) AS size FROM nodeledger.dead_letters`,
    );
    expect(letters.map(({ certname }) => certname).sort()).toEqual(
      [...poisons.map(([, certname]) => certname), 'future'].sort(),
    );
    for (const { error, size } of letters) {
      expect(error.length).toBeGreaterThan(5);
      expect(size).toBeGreaterThan(2);
    }
    expect(bench.deadLetters).toHaveLength(poisons.length + 1);
    expect(await bench.rows(`SELECT certname FROM {schema}.nodes WHERE certname NOT LIKE 'before%'`)).toEqual([
      { certname: 'survivor' },
    ]);
  });

  it('takes any Unicode, long texts, lone surrogates and U+0000 in values', async () => {
    const title = '/'.padEnd(12_000, 'long ');
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource(title), resource('/ünï/😀')], [edge(title, '/ünï/😀')]),
    });
    await bench.submit('replace facts', 'a', {
      payload: JSON.stringify(factset('a', 'VALUES')).replace(
        '"VALUES"',
        '{"nul":"a\\u0000b","lone":"\\ud800","smile":"😀 ü","😀":{"ключ":1}}',
      ),
    });
    await bench.settle();
    expect(bench.deadLetters.map(({ error }) => String(error))).toEqual([]);
    expect(
      await bench.rows(`SELECT length(title)::int AS length FROM {schema}.resource_contents ORDER BY 1 DESC`),
    ).toEqual([{ length: title.length }, { length: 6 }]);
    const stored = await storedFacts('a');
    expect(stored['nul']).toBe('"a\ufffdb"');
    expect(stored['smile']).toBe('"😀 ü"');
    expect(stored['😀']).toBe('{"ключ": 1}');
  });

  it('gives the same tables to two projectors at once, to small batches and to a replay', async () => {
    for (let run = 0; run < 6; run++) {
      for (const certname of ['a', 'b', 'c', 'd', 'e']) {
        await facts(
          certname,
          { run, [`only-${run}`]: { of: certname }, list: Array.from({ length: run }, (_, i) => i) },
          run % 4,
        );
        await bench.submit('replace catalog', certname, {
          payload: catalog(certname, [resource('/a'), resource(`/${run % 3}`)], [], { producer_timestamp: at(run) }),
        });
        await bench.submit('store report', certname, {
          payload: report(certname, [event(`p${run % 4}`)], {
            producer_timestamp: at((run % 4) * 86_400),
            start_time: at(run % 4),
          }),
        });
        if (run === 3) {
          await bench.submit('deactivate node', certname, {
            payload: { certname, producer_timestamp: at(certname === 'a' ? 900_000 : 1) },
          });
        }
        if (run === 4) await bench.submit('replace facts', certname, { payload: '[]' });
      }
      await bench.settle(bench.generation, { projectors: 2, batchRecords: 3 });
    }
    const live = await bench.dump();
    expect(live['reports']).toHaveLength(20);
    expect(live['nodes']).toHaveLength(5);
    const second = await bench.newGeneration();
    await bench.settle(second);
    expect(await bench.dump(second)).toEqual(live);
    const third = await bench.newGeneration();
    await bench.settle(third, { batchRecords: 1 });
    expect(await bench.dump(third)).toEqual(live);
    expect(await bench.rows('SELECT count(*)::int FROM nodeledger.dead_letters')).toEqual([{ count: 5 }]);
  });

  it('tells those who wait how far it has come, with the commit', async () => {
    const notified: unknown[] = [];
    const unlisten = await bench.db.listen('nodeledger_applied', (text) => notified.push(JSON.parse(text)));
    const { partition, offset } = await facts('a', { n: 1 });
    await bench.settle();
    await until(() => notified.length > 0, { what: 'a notification' });
    await unlisten();
    const { generation } = bench.generation;
    expect(notified).toEqual([{ generation, positions: { [partition]: offset + 1 } }]);
  });

  it('keeps every text in the order of its characters, whatever the order of the database', async () => {
    const others = await bench.rows(
      `SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       JOIN pg_type t ON t.oid = a.atttypid
       WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
         AND t.typname IN ('text', '_text') AND a.attcollation = 'pg_catalog."default"'::regcollation`,
      [bench.generation.schema],
    );
    expect(others).toEqual([]);
  });

  it('refuses positions of another log', async () => {
    await bench.db.query({ text: `UPDATE nodeledger.positions SET log_id = gen_random_uuid()`, values: [] });
    await expect(bench.projector().run(new AbortController().signal)).rejects.toThrow(/belong to log/);
  });

  it('goes on behind what another one applied meanwhile, although nothing new comes', async () => {
    const positions: Position[] = [];
    for (let n = 0; n < 4; n++) positions.push(await facts('a', { n }, n));
    const { partition } = positions[0]!;
    const half = new Map([[partition, positions[1]!.offset + 1]]);
    let reads = 0;
    const log = {
      reader: (start: ReadonlyMap<number, number>): LogReader => {
        const reader = bench.log.reader(start);
        return {
          next: async (limits, signal) => {
            const records = await reader.next(limits, signal);
            // Another projector applies some of these records first.
            if (reads++ === 0) await bench.projector({ until: half }).run(new AbortController().signal);
            return records;
          },
          close: () => reader.close(),
        };
      },
    };
    const stop = new AbortController();
    const running = bench.projector({ log, group: 'g' }).run(stop.signal);
    const end = positions[3]!.offset + 1;
    await until(async () => {
      const positions = await positionsOf(bench.db, bench.generation.generation);
      return positions.get(partition)?.nextOffset === end;
    });
    stop.abort();
    await running;
    expect(await storedFacts('a')).toEqual({ n: '3' });
    expect(reads).toBeGreaterThan(1);
  });
});
