import { catalog, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  // Only the database can tell that the record is a poison, so its whole batch fails.
  const { schema } = bench.generation;
  await bench.db.query({ text: `ALTER TABLE ${schema}.resource_contents ADD CHECK (title <> '/bad')`, values: [] });
});
afterAll(() => bench.close());
beforeEach(() => void bench.deadLetters.splice(0));

const catalogsOf = async (run: string): Promise<string[]> => {
  const rows = await bench.rows<{ certname: string }>(
    `SELECT certname FROM {schema}.nodes JOIN {schema}.catalogs USING (node) WHERE certname LIKE $1 ORDER BY 1`,
    [`${run}-%`],
  );
  return rows.map(({ certname }) => certname);
};

const places = [0, 1, 2, 3, 4];
test.each([...places.map((place) => [place]), [0, 1], [3, 4], [0, 4], places])(
  'of a batch of five, the records at %j are poison: they become dead letters, and no others',
  async (...bad) => {
    const run = `run-${bad.join('')}`;
    for (const place of places) {
      const title = bad.includes(place) ? '/bad' : `/${run}-${place}`;
      await bench.submit('replace catalog', `${run}-${place}`, {
        payload: catalog(`${run}-${place}`, [resource(title)], []),
      });
    }
    await bench.settle();
    const named = (wanted: number[]): string[] => wanted.map((place) => `${run}-${place}`);
    expect(bench.deadLetters.map(({ record }) => record.certname)).toEqual(named(bad));
    expect(await catalogsOf(run)).toEqual(named(places.filter((place) => !bad.includes(place))));
  },
);
