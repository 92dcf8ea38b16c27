import { catalog, factset, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';

let bench: ProjectionBench;
beforeEach(async () => {
  bench = await ProjectionBench.open(1);
});
afterEach(() => bench.close());

const submit = (certname: string, ...titles: string[]): Promise<unknown> =>
  bench.submit('replace catalog', certname, {
    payload: catalog(
      certname,
      titles.map((title) => resource(title)),
      [],
    ),
  });

const titlesOf = (certname: string): Promise<unknown[]> =>
  bench.rows(
    `SELECT r.title FROM {schema}.nodes n JOIN {schema}.catalog_resources c USING (node)
       LEFT JOIN {schema}.resource_contents r USING (content) WHERE n.certname = $1 ORDER BY 1`,
    [certname],
  );

test('what a refused batch did not write is written when its good records are tried again', async () => {
  await bench.refuseResource('/bad');
  await submit('good', '/shared', '/own');
  await submit('bad', '/shared', '/bad');
  await submit('other', '/shared', '/other');
  await bench.settle();
  expect(await titlesOf('good')).toEqual([{ title: '/own' }, { title: '/shared' }]);
  expect(await titlesOf('other')).toEqual([{ title: '/other' }, { title: '/shared' }]);
  expect(await titlesOf('bad')).toEqual([]);
  expect(bench.deadLetters).toHaveLength(1);
});

test('shared rows wait for the disk, as the projector remembers them; rows and positions of the batch do not', async () => {
  const { schema } = bench.generation;
  await bench.db.query({
    text: `CREATE TABLE ${schema}_commits (of text, setting text, xid text);
      CREATE FUNCTION ${schema}_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO ${schema}_commits VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'), pg_current_xact_id()); RETURN NULL; END $$`,
    values: [],
  });
  const noted = ['environments', 'producers', 'fact_paths', 'packages', 'resource_contents', 'nodes', 'factsets'];
  for (const table of noted) {
    await bench.db.query({
      text: `CREATE TRIGGER note AFTER INSERT ON ${schema}.${table} EXECUTE FUNCTION ${schema}_note()`,
      values: [],
    });
  }
  // The first batch of a projector writes shared rows in its own transaction; later ones write them before it.
  await bench.submit('replace facts', 'a', { payload: factset('a', { one: 1 }) });
  await submit('b', '/one');
  const payload = factset(
    'b',
    { two: 2 },
    { environment: 'other', producer: 'other', package_inventory: [['bash', '5', 'apt']] },
  );
  await bench.submit('replace facts', 'b', { payload });
  await bench.settle(bench.generation, { batchRecords: 1 });
  const commits = await bench.rows<{ of: string; settings: string[] }>(
    `SELECT of, array_agg(DISTINCT setting ORDER BY setting) AS settings FROM {schema}_commits GROUP BY of`,
  );
  const shared = {
    environments: ['on'],
    producers: ['on'],
    fact_paths: ['on'],
    packages: ['on'],
    resource_contents: ['on'],
  };
  expect(Object.fromEntries(commits.map(({ of, settings }) => [of, settings]))).toEqual({
    ...shared,
    nodes: ['off', 'on'],
    factsets: ['off', 'on'],
  });
  const later = await bench.rows<{ of: string }>(
    `SELECT DISTINCT of FROM {schema}_commits WHERE xid NOT IN (SELECT xid FROM {schema}_commits WHERE of = 'nodes')`,
  );
  expect(later.map(({ of }) => of).sort()).toEqual(Object.keys(shared).sort());
});

test('after trouble of the database, shared rows are written again: another server may answer that never got them', async () => {
  const { schema } = bench.generation;
  await bench.db.query({
    text: `CREATE SEQUENCE ${schema}_tries;
      CREATE FUNCTION ${schema}_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('${schema}_tries') = 1 THEN RAISE 'as in a failover' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER fail AFTER INSERT ON ${schema}.nodes EXECUTE FUNCTION ${schema}_fail()`,
    values: [],
  });
  await submit('a', '/one');
  const end = await bench.log.ends();
  let lost: Promise<unknown> | undefined;
  const projector = bench.projector({
    until: end,
    onRetry: () => {
      lost = bench.rows('DELETE FROM {schema}.resource_contents');
    },
  });
  await projector.run(new AbortController().signal);
  expect(await lost).toEqual([]);
  expect(await titlesOf('a')).toEqual([{ title: '/one' }]);
  expect(bench.deadLetters).toEqual([]);
});

test('a path that is collected while its types are written costs no command', async () => {
  const { schema } = bench.generation;
  await bench.submit('replace facts', 'a', { payload: factset('a', { one: 'text' }) });
  await bench.settle();
  // Fails once, before the types of the path are written. A sequence keeps its value after a rollback.
  await bench.db.query({
    text: `CREATE SEQUENCE ${schema}_times;
      CREATE FUNCTION ${schema}_collect() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('${schema}_times') = 1 THEN DELETE FROM ${schema}.fact_paths; END IF; RETURN NULL; END $$;
      CREATE TRIGGER collect BEFORE INSERT ON ${schema}.fact_path_types FOR EACH STATEMENT EXECUTE FUNCTION ${schema}_collect()`,
    values: [],
  });
  await bench.submit('replace facts', 'a', { payload: factset('a', { one: 1 }) });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
  expect(await bench.rows(`SELECT last_value::int AS times FROM ${schema}_times`)).toEqual([{ times: 2 }]);
  expect(await bench.rows('SELECT name, value FROM {schema}.facts')).toEqual([{ name: 'one', value: '1' }]);
  expect(await bench.rows('SELECT type FROM {schema}.fact_path_types ORDER BY 1')).toEqual([
    { type: 'i' },
    { type: 's' },
  ]);
});
