import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { until } from '../../test/support/until';

describe('a projector whose database lost its last commits', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(2);
  });
  afterEach(async () => bench.close());

  const facts = async (): Promise<string[]> => {
    const rows = await bench.rows<{ fact: string }>(
      `SELECT n.certname || ' ' || p.spelled AS fact FROM {schema}.fact_contents c
       JOIN {schema}.fact_paths p USING (path) JOIN {schema}.nodes n USING (node) ORDER BY 1`,
    );
    return rows.map(({ fact }) => fact);
  };

  const untilThere = (wanted: readonly string[]): Promise<void> =>
    until(async () => (await facts()).join() === wanted.join(), { what: wanted.join(' and ') });

  /** Simulates a crash after a commit that did not wait for the disk. */
  const setBack = async (): Promise<void> => {
    await bench.rows(`WITH back AS (UPDATE nodeledger.positions SET next_offset = 1 RETURNING 1),
      a AS (DELETE FROM {schema}.fact_contents), b AS (DELETE FROM {schema}.facts),
      c AS (DELETE FROM {schema}.factsets), d AS (DELETE FROM {schema}.nodes), e AS (DELETE FROM {schema}.fact_paths),
      f AS (DELETE FROM {schema}.timeline)
      SELECT count(*) FROM back`);
  };

  it.each([
    ['follows', 'some group'],
    ['reads', undefined],
  ])('applies them again where it %s the log, although nothing new comes', async (_, group) => {
    await bench.submit('replace facts', 'a', { payload: factset('a', { one: 1 }) });
    const stop = new AbortController();
    const running = bench.projector(group === undefined ? {} : { group }).run(stop.signal);
    await untilThere(['a one']);

    await setBack();

    // Shared rows are written again, too.
    await untilThere(['a one']);
    stop.abort();
    await running;
  });
});
