import { AuditLog } from '#access';
import { randomUUID } from 'node:crypto';
import { Completions } from '#commands';
import { Generations } from '#database';
import { key64 } from '#projections';
import { noAgeLimits } from '../../../test/support/age-limits';
import { catalog, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { Clean, cleanEverything } from '../clean/clean';
import { CleaningObserver } from '../clean/cleaning-observer';
import { CleanHandler } from '../clean/clean.handler';
import { ClockGuard } from '../clocks/clock-guard';
import { MaintenanceRecords } from '../maintenance-records';
import { DeleteNode } from './delete-node';
import { DeleteNodeHandler } from './delete-node.handler';

let bench: ProjectionBench;
let completions: Completions;
let stop: AbortController;
let projecting: Promise<void>;
beforeEach(async () => {
  bench = await ProjectionBench.open();
  completions = new Completions(bench.db);
  await completions.open();
  stop = new AbortController();
  projecting = bench.projector().run(stop.signal);
});
afterEach(async () => {
  stop.abort();
  await projecting;
  await completions.close();
  await bench.close();
});

/** Submits every kind of document that a node can send, with the sentinel in every field that can contain a text. */
async function sendEverything(certname: string, sentinel: string): Promise<void> {
  const common = { environment: `environment-${sentinel}`, producer: `producer-${sentinel}` };
  const shared = resource('/everywhere', { parameters: { ensure: 'file' } });
  await bench.submit('replace facts', certname, {
    payload: factset(
      certname,
      { shared: 1, secret: sentinel, [`name-${sentinel}`]: { [sentinel]: [sentinel] } },
      { ...common, package_inventory: [[sentinel, '1', 'apt']] },
    ),
  });
  await bench.submit('replace catalog', certname, {
    payload: catalog(
      certname,
      [shared, resource(`/${sentinel}`, { file: sentinel, parameters: { password: sentinel } })],
      [
        {
          source: { type: 'File', title: `/${sentinel}` },
          target: { type: 'File', title: '/everywhere' },
          relationship: 'before',
        },
      ],
      common,
    ),
  });
  await bench.submit('replace catalog inputs', certname, {
    version: 1,
    payload: {
      certname,
      producer_timestamp: '2026-01-01T00:00:00Z',
      catalog_uuid: randomUUID(),
      inputs: [['hiera', sentinel]],
    },
  });
  await bench.submit('store report', certname, {
    payload: report(certname, [event('ensure', { new_value: sentinel, message: sentinel })], {
      ...common,
      configuration_version: sentinel,
      logs: [
        {
          source: sentinel,
          message: sentinel,
          level: 'info',
          tags: [],
          time: '2026-01-01T00:00:00Z',
          file: null,
          line: null,
        },
      ],
    }),
  });
  // The message of this error quotes the payload.
  await bench.submit('replace facts', certname, { payload: { certname, environment: { [sentinel]: sentinel } } });
  await bench.submit('store report', certname, { payload: `{"${sentinel}": ` });
}

/** Returns the tables of the whole database, except the log, that contain the text, as text or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await bench.rows<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await bench.rows(
      `SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('after a deletion and the cleaning that follows, no table has anything of the node; other nodes keep what they share', async () => {
  const { schema } = bench.generation;
  const [gone, stays] = ['gone-Sentinel0815', 'stays-Other4711'];
  // The second documents move the rows of the first ones to the past.
  for (const version of ['', 'again']) {
    await sendEverything(gone, `Sentinel0815${version}`);
    await sendEverything(stays, `Other4711${version}`);
  }
  await bench.settle();
  const ofOther = await tablesWith('Other4711');
  expect((await tablesWith('Sentinel0815')).sort()).toEqual(ofOther);
  const inTables = [
    ...['environments', 'fact_paths', 'packages', 'producers', 'reports', 'resource_contents', 'resource_events'],
    ...['nodes', 'nodes_past', 'facts_past', 'fact_contents_past', 'catalog_edges_past'],
  ];
  const ofKey = await tablesWith(key64(gone));
  expect(ofKey).toEqual(await tablesWith(key64(stays)));
  const past = ['nodes_past', 'facts_past', 'catalogs_past', 'catalog_resources_past', 'timeline'];
  expect(ofKey).toEqual(expect.arrayContaining(past.map((name) => `${schema}.${name}`)));
  expect(ofOther).toEqual(
    expect.arrayContaining(['nodeledger.dead_letters', ...inTables.map((name) => `${schema}.${name}`)]),
  );

  const records = new MaintenanceRecords(bench.log, completions);
  await new DeleteNodeHandler(records).execute(new DeleteNode(gone));
  expect(await tablesWith(key64(gone))).toEqual([]);
  // Shared data is left for the cleaning. For a day, streams can read that the node was deleted.
  const shared = ['deleted_nodes', 'environments', 'fact_paths', 'packages', 'producers', 'resource_contents'];
  expect(await tablesWith('Sentinel0815')).toEqual(shared.map((name) => `${schema}.${name}`));
  const limits = noAgeLimits;
  const cleaning = new CleanHandler(
    bench.db,
    new Generations(bench.db),
    records,
    limits,
    new ClockGuard(bench.db),
    bench.log,
    new AuditLog(bench.db),
    new CleaningObserver(),
  );
  await cleaning.execute(new Clean(cleanEverything, 'exact'));
  expect(await tablesWith('Sentinel0815')).toEqual([`${schema}.deleted_nodes`]);
  expect(await tablesWith('Other4711')).toEqual(ofOther);
  expect(await bench.rows(`SELECT title FROM {schema}.resource_contents ORDER BY 1`)).toEqual([
    { title: '/Other4711' },
    { title: '/Other4711again' },
    { title: '/everywhere' },
  ]);
});
