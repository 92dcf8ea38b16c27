import { giveAgeLimits, type GivenLimits } from '../../../test/support/age-limits';
import { event, factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { compareGenerations } from '../replay/compare-generations';
import { findDue, type AgeCutoffs } from './due';
import { deleteRemovedRows } from './delete-removed-rows';

const partitions = 4;
const at = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString();

describe('age limits', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(partitions);
  });
  afterEach(async () => bench.close());

  const give = (limits: GivenLimits): Promise<void> => giveAgeLimits(bench, partitions, limits);
  const facts = (certname: string, day: number): Promise<unknown> =>
    bench.submit('replace facts', certname, { payload: factset(certname, {}, { producer_timestamp: at(day) }) });
  const away = (certname: string, day: number): Promise<unknown> =>
    bench.submit('deactivate node', certname, { payload: { certname, producer_timestamp: at(day) } });
  const expiration = (certname: string, day: number, keep: boolean): Promise<unknown> =>
    bench.submit('configure expiration', certname, {
      version: 1,
      payload: { certname, producer_timestamp: at(day), expire: { facts: !keep } },
    });
  const inputs = (certname: string, day: number): Promise<unknown> =>
    bench.submit('replace catalog inputs', certname, {
      version: 1,
      payload: {
        certname,
        producer_timestamp: at(day),
        catalog_uuid: '00000000-0000-4000-8000-000000000002',
        inputs: [['hiera', 'ntp::servers']],
      },
    });
  const reported = (certname: string, day: number, over: Record<string, unknown> = {}): Promise<unknown> =>
    bench.submit('store report', certname, {
      payload: report(certname, [event(`p${day}`)], { producer_timestamp: at(day), end_time: at(day), ...over }),
    });
  const certnames = async (condition: string): Promise<string[]> => {
    const rows = await bench.rows<{ certname: string }>(
      `SELECT certname FROM {schema}.nodes n WHERE ${condition} ORDER BY 1`,
    );
    return rows.map(({ certname }) => certname);
  };
  /** Returns the days of the reports, and whether they have events. */
  const reports = async (): Promise<string[]> => {
    const rows = await bench.rows<{ report: string }>(
      `SELECT n.certname || ' ' || extract(day FROM r.producer_timestamp)::int - 1
         || CASE WHEN EXISTS (SELECT FROM {schema}.resource_events e WHERE e.report = r.report) THEN '' ELSE ' bare' END
         || CASE WHEN EXISTS (SELECT FROM {schema}.event_counts e WHERE e.report = r.report) THEN '' ELSE ' uncounted' END AS report
       FROM {schema}.reports r JOIN {schema}.nodes n USING (node) ORDER BY 1`,
    );
    return rows.map((row) => row.report);
  };
  /** Returns the number of changes that are due in all partitions. */
  async function due(cutoffs: AgeCutoffs): Promise<{ expire: number; purge: number }> {
    const found = [...(await findDue(bench.db, bench.generation, partitions, cutoffs)).values()];
    const sum = (of: 'expire' | 'purge'): number => found.reduce((all, one) => all + one[of], 0);
    return { expire: sum('expire'), purge: sum('purge') };
  }
  /** Checks that every way to rebuild the tables makes equal tables. */
  async function expectSameAgain(): Promise<void> {
    await bench.settle();
    const live = await bench.dump();
    for (const batchRecords of [200, 1, 3]) {
      const again = await bench.newGeneration();
      await bench.settle(again, { batchRecords });
      expect(await bench.dump(again)).toEqual(live);
    }
  }

  it('expire and remove the nodes that are due, the longest away first, and no others', async () => {
    await facts('silent', 1);
    await inputs('silent', 2);
    await facts('heard', 5);
    await facts('reporting', 1);
    await reported('reporting', 5);
    await facts('kept', 1);
    await expiration('kept', 1, true);
    await facts('touched', 1);
    await expiration('touched', 5, false);
    await reported('plan', 5, { type: 'plan' });
    await facts('compiled', 1);
    await inputs('compiled', 5);
    await facts('away', 1);
    await away('away', 4);
    await away('away-longest', 2);
    await away('away-longer', 3);
    await bench.settle();
    expect(await due({ expireBefore: at(5) })).toEqual({ expire: 2, purge: 0 });
    const purge = (most: number | undefined): AgeCutoffs => ({ purge: { before: at(5), most } });
    expect(await due(purge(undefined))).toEqual({ expire: 0, purge: 3 });
    expect(await due(purge(1))).toEqual({ expire: 0, purge: 1 });
    expect(await due(purge(0))).toEqual({ expire: 0, purge: 0 });
    expect(await due({ reportsBefore: at(5), eventsBefore: at(5) })).toEqual({ expire: 0, purge: 0 });
    expect((await findDue(bench.db, bench.generation, partitions, { reportsBefore: at(5) })).size).toBe(0);
    expect((await findDue(bench.db, bench.generation, partitions, { reportsBefore: at(6) })).size).toBeGreaterThan(0);

    await give({
      expiry: { cutoff: at(5), expired: at(40), most: 100 },
      purge: { cutoff: at(4), most: 100 },
    });
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
    expect(await certnames('expired IS NOT NULL')).toEqual(['plan', 'silent']);
    expect(await certnames('deactivated IS NOT NULL')).toEqual(['away']);
    expect(await due({ expireBefore: at(5), purge: { before: at(4), most: undefined } })).toEqual({
      expire: 0,
      purge: 0,
    });
    // The cutoff decides which document activates a node.
    await facts('silent', 4);
    await facts('plan', 5);
    await bench.settle();
    expect(await certnames('expired IS NOT NULL')).toEqual(['silent']);
    await expectSameAgain();
  });

  it('change no more nodes of a partition than they say', async () => {
    for (let index = 0; index < 12; index++) await away(`away-${index}`, index);
    for (let index = 0; index < 12; index++) await facts(`silent-${index}`, 1);
    await give({ purge: { cutoff: at(20), most: 1 }, expiry: { cutoff: at(5), expired: at(40), most: 2 } });
    await bench.settle();
    const expired = (await certnames('expired IS NOT NULL')).length;
    expect(expired).toBeGreaterThan(2);
    expect(expired).toBeLessThanOrEqual(2 * partitions);
    const left = await certnames('deactivated IS NOT NULL');
    expect(left).not.toContain('away-0');
    expect(12 - left.length).toBeGreaterThan(1);
    expect(12 - left.length).toBeLessThanOrEqual(partitions);
    await expectSameAgain();
  });

  it('take reports that stand before them in the log, with their events, or the events alone', async () => {
    for (const day of [1, 2, 3, 4]) await reported('a', day);
    for (const day of [1, 2]) await reported('b', day);
    await give({ reportsBefore: at(2), eventsBefore: at(3) });
    await reported('a', 0);
    await bench.settle();
    expect(await reports()).toEqual(['a 0', 'a 2 bare uncounted', 'a 3', 'a 4', 'b 2 bare uncounted']);
    await give({ reportsBefore: at(4) });
    await bench.settle();
    expect(await reports()).toEqual(['a 4']);
    expect(await certnames('latest_report_hash IS NULL')).toEqual(['b']);
    expect(await certnames('log_offset IS NOT NULL')).toEqual(['b']);
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.latest_reports')).toEqual([{ count: 1 }]);
    await expectSameAgain();
  });

  it('are the same whether their reports are deleted already or not', async () => {
    for (const day of [1, 2, 3]) await reported('a', day);
    await reported('b', 1, { environment: 'only here', producer: 'nobody else' });
    await give({ reportsBefore: at(2), eventsBefore: at(3) });
    await bench.settle(undefined, { removes: false });
    expect(await reports()).toHaveLength(4);
    const cutoffs = { reportsBefore: at(2), eventsBefore: at(3) };
    expect((await findDue(bench.db, bench.generation, partitions, cutoffs)).size).toBe(0);
    const again = await bench.newGeneration();
    await bench.settle(again);
    for (const [one, other] of [
      [bench.generation, again],
      [again, bench.generation],
    ] as const) {
      expect(await compareGenerations(bench.db, one, other)).toMatchObject({ counted: 0, differences: [] });
    }
    // Submits the same reports again. Deleted reports come back, and stored reports do not change.
    for (const day of [1, 2, 3]) await reported('a', day);
    await bench.settle(undefined, { removes: false });
    await bench.settle(again);
    expect(await compareGenerations(bench.db, bench.generation, again)).toMatchObject({ counted: 0, differences: [] });
    expect(await deleteRemovedRows(bench.db, bench.generation)).toEqual({ reports: 1, events: 2 });
    expect(await reports()).toEqual(['a 1', 'a 2 bare uncounted', 'a 3']);
    expect(await bench.dump()).toEqual(await bench.dump(again));
    expect(await deleteRemovedRows(bench.db, bench.generation)).toEqual({ reports: 0, events: 0 });
  });

  it('keep removing the reports of an earlier age limit whose cutoff is later', async () => {
    for (const day of [1, 2, 3, 4]) await reported('a', day);
    for (const cutoff of [at(4), at(2)]) {
      await give({ reportsBefore: cutoff });
      await bench.settle(undefined, { removes: false });
    }
    expect(await deleteRemovedRows(bench.db, bench.generation)).toEqual({ reports: 3, events: 3 });
    expect(await reports()).toEqual(['a 4']);
  });

  it('pass over reports that somebody holds, and take them when they are free', async () => {
    for (const day of [1, 2, 3]) await reported('a', day);
    await give({ reportsBefore: at(4) });
    await bench.settle(undefined, { removes: false });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const holding = bench.db.transaction(async (session) => {
      await session.query({
        text: `SELECT FROM ${bench.generation.schema}.reports WHERE producer_timestamp = $1 FOR UPDATE`,
        values: [at(1)],
      });
      locked();
      await held;
    });
    await isLocked;
    // Ends although a row stays locked.
    expect(await deleteRemovedRows(bench.db, bench.generation)).toEqual({ reports: 2, events: 2 });
    release();
    await holding;
    expect(await deleteRemovedRows(bench.db, bench.generation)).toEqual({ reports: 1, events: 1 });
    expect(await bench.rows('SELECT FROM {schema}.removals')).toEqual([]);
  });
});
