import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';

describe('a batch that is too large', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(1);
  });
  afterEach(async () => bench.close());

  const node = (index: number): string => `node${String(index).padStart(3, '0')}`;
  const append = (index: number, values: string): Promise<unknown> =>
    bench.log.append({
      uuid: '00000000-0000-4000-8000-000000000000',
      command: 'replace facts',
      version: 5,
      certname: node(index),
      receivedAt: 0,
      encoding: 'gzip',
      payload: gzipSync(JSON.stringify(factset(node(index), 'HERE')).replace('"HERE"', () => values)),
    });
  const stored = async (): Promise<number> =>
    (await bench.rows<{ count: number }>('SELECT count(*)::int AS count FROM {schema}.factsets'))[0]!.count;

  /** Applies the whole log. Returns the sizes of the batches, the number of waits, and the dead letters. */
  async function projected(): Promise<{ batches: number[]; waits: string[]; letters: unknown[] }> {
    const [batches, waits, letters] = [[] as number[], [] as string[], [] as unknown[]];
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), 30_000);
    const projector = bench.projector({
      until: await bench.log.ends(),
      onBatch: (records) => void batches.push(records),
      onRetry: (error) => void waits.push((error as { code?: string }).code ?? String(error)),
      onDeadLetter: ({ error }) => void letters.push(error),
    });
    await projector.run(stop.signal);
    clearTimeout(late);
    await delay(0);
    return { batches, waits, letters };
  }

  it.each(['53200', '53400', '25P04'])(
    'is made smaller where the database only goes on refusing it with %s, and makes no letter',
    async (code) => {
      const { schema } = bench.generation;
      await bench.db.query({
        text: `CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN
                 IF (SELECT count(*) FROM came) > 3 THEN RAISE EXCEPTION 'no room for so many' USING ERRCODE = '${code}'; END IF;
                 RETURN NULL;
               END $$`,
        values: [],
      });
      await bench.db.query({
        text: `CREATE TRIGGER refuse AFTER INSERT ON ${schema}.factsets REFERENCING NEW TABLE AS came
               FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse()`,
        values: [],
      });
      for (let index = 0; index < 10; index++) await append(index, '{"a":1}');
      const { batches, waits, letters } = await projected();
      expect(await stored()).toBe(10);
      expect(letters).toEqual([]);
      expect(Math.max(...batches)).toBeLessThanOrEqual(3);
      expect(new Set(waits)).toEqual(new Set([code]));
    },
  );

  it('is cut where its documents take much memory although their texts are short', async () => {
    // A million path elements in 4 kB, 20 times.
    const values = `{"a":${'['.repeat(900)}${'1,'.repeat(999)}1${']'.repeat(900)}}`;
    for (let index = 0; index < 20; index++) await append(index, values);
    const { batches, letters } = await projected();
    expect(letters).toEqual([]);
    expect(await stored()).toBe(20);
    expect(batches.reduce((sum, records) => sum + records, 0)).toBe(20);
    expect(Math.max(...batches)).toBeLessThanOrEqual(6);
  });
});
