import { Generations } from '#database';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { SummaryStats } from './summary-stats';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(2);
});
afterAll(() => bench.close());

const read = async (): Promise<Record<string, Record<string, unknown>[]>> =>
  (await new SummaryStats(bench.db, new Generations(bench.db), '7.0.0').read()) as never;

it('has the members of the reference where there is nothing yet', async () => {
  const stats = await read();
  expect(Object.keys(stats).sort()).toEqual([
    'database_usage',
    'fact_path_counts_by_depth',
    'file_resources_per_catalog',
    'file_resources_per_catalog_with_source',
    'index_usage',
    'node_activity',
    'num_distinct_edges_source_target',
    'num_resources_per_file',
    'num_resources_per_node',
    'report_log_size_dist',
    'report_metric_size_dist',
    'table_usage',
    'version',
  ]);
  expect(stats).toMatchObject({
    fact_path_counts_by_depth: [],
    node_activity: [],
    num_resources_per_node: [{ quantiles: null }],
    num_distinct_edges_source_target: [{ count: 0 }],
    version: '7.0.0',
  });
});

it('counts what the tables hold', async () => {
  for (const [index, certname] of ['a', 'b'].entries()) {
    await bench.submit('replace facts', certname, {
      payload: factset(certname, { top: 1, deep: { er: { still: 2 } } }),
    });
    const files = ['/one', '/two', '/three']
      .slice(index)
      .map((title) =>
        resource(title, { file: '/site.pp', parameters: title === '/three' ? { source: 'puppet:///three' } : {} }),
      );
    await bench.submit('replace catalog', certname, {
      payload: catalog(certname, files, [edge('/two', '/three')]),
    });
    await bench.submit('store report', certname, { payload: report(certname, [event('a')]) });
  }
  await bench.submit('deactivate node', 'gone', { payload: { certname: 'gone' } });
  await bench.settle();
  const stats = await read();
  const spread = (name: string): unknown => {
    const [only] = stats[name] as { quantiles: number[] }[];
    expect(only?.quantiles).toHaveLength(21);
    return [only?.quantiles[0], only?.quantiles[10], only?.quantiles[20]];
  };
  expect(stats['node_activity']).toEqual([
    { count: 1, active: false },
    { count: 2, active: true },
  ]);
  expect(stats['fact_path_counts_by_depth']).toEqual([
    { depth: 0, count: 1 },
    { depth: 2, count: 1 },
  ]);
  expect(spread('num_resources_per_node')).toEqual([2, 2.5, 3]);
  expect(spread('num_resources_per_file')).toEqual([5, 5, 5]);
  expect(spread('file_resources_per_catalog')).toEqual([2, 2.5, 3]);
  expect(spread('file_resources_per_catalog_with_source')).toEqual([1, 1, 1]);
  expect(stats['num_distinct_edges_source_target']).toEqual([{ count: 1 }]);
  expect(spread('report_log_size_dist')).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
});

it('tells the use of tables, indexes and the database as PostgreSQL counts it, with times as everywhere', async () => {
  const stats = await read();
  const { schema } = bench.generation;
  const tables = stats['table_usage'] as { schemaname: string; relname: string; relid: number }[];
  const nodes = tables.find(({ schemaname, relname }) => schemaname === schema && relname === 'nodes');
  expect(nodes).toMatchObject({ relid: expect.any(Number), n_tup_ins: expect.any(Number), last_vacuum: null });
  expect(stats['index_usage']).toContainEqual(
    expect.objectContaining({ schemaname: schema, indexrelname: 'nodes_pkey', idx_scan: expect.any(Number) }),
  );
  expect(stats['database_usage']).toEqual([
    expect.objectContaining({
      current_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      datid: expect.any(Number),
      xact_commit: expect.any(Number),
    }),
  ]);
});

it('shares one answer among all who ask at once', async () => {
  const stats = new SummaryStats(bench.db, new Generations(bench.db), '7.0.0');
  const [one, other] = [stats.read(), stats.read()];
  expect(await one).toBe(await other);
  expect(await stats.read()).not.toBe(await one);
});
