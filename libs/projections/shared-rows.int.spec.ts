import { catalog, resource } from '../../test/support/documents';
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
  const { schema } = bench.generation;
  await bench.db.query({ text: `ALTER TABLE ${schema}.resource_contents ADD CHECK (title <> '/bad')`, values: [] });
  await submit('good', '/shared', '/own');
  await submit('bad', '/shared', '/bad');
  await submit('other', '/shared', '/other');
  await bench.settle();
  expect(await titlesOf('good')).toEqual([{ title: '/own' }, { title: '/shared' }]);
  expect(await titlesOf('other')).toEqual([{ title: '/other' }, { title: '/shared' }]);
  expect(await titlesOf('bad')).toEqual([]);
  expect(bench.deadLetters).toHaveLength(1);
});
