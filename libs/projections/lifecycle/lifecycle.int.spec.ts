import { lifecycleCommands } from '#wire';
import { limitNode } from '../../../test/support/age-limits';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { key64 } from '../keys';

const at = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString();

describe('lifecycle', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(async () => bench.close());

  const remove = (certname: string): Promise<unknown> => {
    const { command, version } = lifecycleCommands.deleteNode;
    return bench.submit(command, certname, { version, payload: { certname } });
  };

  const reported = (certname: string, day: number, over: Record<string, unknown> = {}): Promise<unknown> =>
    bench.submit('store report', certname, {
      payload: report(certname, [event(`p${day}`)], { producer_timestamp: at(day), end_time: at(day), ...over }),
    });

  const titles = (day: number): string[] => ['/a', ...Array.from({ length: day + 1 }, (_, n) => `/${day}${n}`)];

  /**
   * Creates a row in every table that can have rows of a node. Documents of different days have different rows in all
   * these tables.
   */
  async function everything(certname: string, day: number): Promise<void> {
    const producer_timestamp = at(day);
    await bench.submit('replace facts', certname, {
      payload: factset(
        certname,
        { os: { family: 'x' }, day },
        { producer_timestamp, package_inventory: [['bash', String(day), 'apt']] },
      ),
    });
    await bench.submit('replace catalog', certname, {
      payload: catalog(
        certname,
        titles(day).map((title) => resource(title)),
        [edge('/a', `/${day}0`)],
        { producer_timestamp },
      ),
    });
    await bench.submit('replace catalog inputs', certname, {
      version: 1,
      payload: {
        certname,
        producer_timestamp,
        catalog_uuid: '00000000-0000-4000-8000-000000000002',
        inputs: [['hiera', 'ntp::servers']],
      },
    });
    await reported(certname, day);
  }

  /** Returns the number of rows that the node has in each table with a column for the node's key. */
  async function rowsOf(certname: string): Promise<Record<string, number>> {
    const tables = await bench.db.query<{ name: string }>({
      text: `SELECT table_name AS name FROM information_schema.columns c
             WHERE table_schema = $1 AND column_name = 'node' ORDER BY 1`,
      values: [bench.generation.schema],
    });
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await bench.rows<{ count: number }>(
        `SELECT count(*)::int FROM {schema}.${name} WHERE node = $1::bigint`,
        [key64(certname)],
      );
      counts[name] = row?.count ?? 0;
    }
    return counts;
  }

  it('deletes every row of a deleted node and no other; later documents create the node again', async () => {
    const live = async (certname: string): Promise<void> => {
      for (const day of [1, 2]) await everything(certname, day);
    };
    await live('goes');
    await live('stays');
    await bench.settle();
    const before = await rowsOf('goes');
    expect(Object.keys(before)).toHaveLength(27);
    for (const [table, count] of Object.entries(before)) expect([table, count > 0]).toEqual([table, true]);

    await remove('goes');
    await bench.settle();
    for (const [table, count] of Object.entries(await rowsOf('goes'))) expect([table, count]).toEqual([table, 0]);
    expect(await rowsOf('stays')).toEqual(before);

    await live('goes');
    await bench.settle();
    expect(await rowsOf('goes')).toEqual(before);
  });

  it('applies documents and maintenance in log order, also in a replay and in small batches', async () => {
    await everything('a', 1);
    await remove('a');
    await remove('unknown');
    await bench.submit('replace facts', 'a', { payload: factset('a', { after: true }, { producer_timestamp: at(0) }) });
    await everything('b', 1);
    await everything('b', 3);
    await limitNode(bench, 'b', { reportsBefore: at(2) });
    await limitNode(bench, 'b', { expiry: { expired: at(20), cutoff: at(9), most: 1 } });
    await reported('b', 4);
    await limitNode(bench, 'b', { reportsBefore: at(5) });
    const expiry = { expired: at(6), cutoff: at(5), most: 1 };
    const purge = { cutoff: at(9), most: 1 };
    await everything('c', 1);
    await limitNode(bench, 'c', { expiry, purge });
    await everything('d', 1);
    await limitNode(bench, 'd', { expiry });
    await everything('d', 7);
    await limitNode(bench, 'd', { purge });
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
    expect(
      await bench.rows(
        `SELECT certname, (expired AT TIME ZONE 'UTC')::date::text AS expired, latest_report_status AS report,
                (SELECT count(*)::int FROM {schema}.facts f WHERE f.node = n.node) AS facts,
                (SELECT count(*)::int FROM {schema}.reports r WHERE r.node = n.node) AS reports
         FROM {schema}.nodes n ORDER BY 1`,
      ),
    ).toEqual([
      { certname: 'a', expired: null, report: null, facts: 1, reports: 0 },
      { certname: 'b', expired: '2026-01-21', report: null, facts: 2, reports: 0 },
      { certname: 'd', expired: null, report: 'changed', facts: 2, reports: 2 },
    ]);
    const live = await bench.dump();
    for (const batchRecords of [200, 1, 3]) {
      const again = await bench.newGeneration();
      await bench.settle(again, { batchRecords });
      expect(await bench.dump(again)).toEqual(live);
    }
  });

  it('stores the events of any number of days without a table for each day', async () => {
    const tables = (): Promise<unknown> =>
      bench.db.query({
        text: 'SELECT relname FROM pg_class c WHERE c.relnamespace = $1::regnamespace ORDER BY 1',
        values: [bench.generation.schema],
      });
    const before = await tables();
    for (const day of [1, 2, 3, 4, 5]) await reported('a', day);
    await bench.settle();
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.resource_events')).toEqual([{ count: 5 }]);
    expect(await tables()).toEqual(before);
  });

  it('an age limit deletes reports before the cutoff with their events and counts, over all days', async () => {
    for (const day of [1, 2, 3, 4]) await reported('a', day);
    await reported('b', 1);
    await bench.settle();
    await limitNode(bench, 'a', { reportsBefore: at(3) });
    await bench.settle();
    const left = (table: string): Promise<unknown[]> =>
      bench.rows(
        `SELECT n.certname, count(*)::int FROM {schema}.${table} t JOIN {schema}.nodes n USING (node) GROUP BY 1 ORDER BY 1`,
      );
    for (const table of ['reports', 'resource_events', 'event_counts']) {
      expect(await left(table)).toEqual([
        { certname: 'a', count: 2 },
        { certname: 'b', count: 1 },
      ]);
    }
    expect(await bench.rows('SELECT property FROM {schema}.resource_events ORDER BY 1')).toEqual([
      { property: 'p1' },
      { property: 'p3' },
      { property: 'p4' },
    ]);
    expect(await left('latest_reports')).toHaveLength(2);

    await limitNode(bench, 'a', { reportsBefore: at(9) });
    await bench.settle();
    expect(await left('latest_reports')).toEqual([{ certname: 'b', count: 1 }]);
    expect(
      await bench.rows(`SELECT certname, latest_report_hash IS NULL AS none FROM {schema}.nodes ORDER BY 1`),
    ).toEqual([
      { certname: 'a', none: true },
      { certname: 'b', none: false },
    ]);
    await reported('a', 2);
    await bench.settle();
    expect(await left('latest_reports')).toHaveLength(2);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('deletes all reports of a deleted node, also with an age limit %s the deletion', async (_, limitFirst) => {
    await reported('a', 3);
    await bench.settle();
    const limit = (): Promise<unknown> => limitNode(bench, 'a', { reportsBefore: at(2) });
    if (limitFirst) await limit();
    await remove('a');
    if (!limitFirst) await limit();
    await bench.settle();
    expect(await bench.rows('SELECT FROM {schema}.reports')).toEqual([]);
  });
});
