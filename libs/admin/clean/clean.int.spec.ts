import { AuditLog } from '#access';
import { setTimeout as delay } from 'node:timers/promises';
import { Completions } from '#commands';
import { Database, Generations } from '#database';
import type { Fault } from '#fault';
import { noAgeLimits, usualAgeLimits } from '../../../test/support/age-limits';
import { cleanNothing } from '../../../test/support/clean-nothing';
import { event, factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import type { AgeLimits } from '../age-limits';
import { DeleteNode } from '../delete-node/delete-node';
import { DeleteNodeHandler } from '../delete-node/delete-node.handler';
import { ClockGuard, type ClockGuardOptions } from '../clocks/clock-guard';
import { MaintenanceRecords } from '../maintenance-records';
import { Clean, type Cleaned, cleanEverything } from './clean';
import { CleaningObserver, type CleaningStep, cleaningSteps } from './cleaning-observer';
import { CleanHandler } from './clean.handler';
import { stays, until } from '../../../test/support/until';

const dayMs = 86_400_000;
const nothingDone: Cleaned = {
  expired: 0,
  purged: 0,
  reportsPurged: 0,
  eventsPurged: 0,
  deadLettersPurged: 0,
  unusedRows: 0,
};
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

class RecordingWatch extends CleaningObserver {
  readonly steps: string[] = [];

  override started(): void {
    this.steps.push('started');
  }

  override did(step: CleaningStep): void {
    this.steps.push(step);
  }

  override ended(done: boolean): void {
    this.steps.push(done ? 'done' : 'not done');
  }
}

describe('maintenance', () => {
  let bench: ProjectionBench;
  let completions: Completions;
  let stop: AbortController;
  let projecting: Promise<void> | undefined;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
    completions = new Completions(bench.db);
    await completions.open();
    stop = new AbortController();
    projecting = undefined;
  });
  afterEach(async () => {
    stop.abort();
    await projecting;
    await completions.close();
    await bench.close();
  });

  const project = (): void => {
    projecting ??= bench.projector().run(stop.signal);
  };
  const records = (): MaintenanceRecords => new MaintenanceRecords(bench.log, completions);
  const everyLimit = usualAgeLimits;
  const handler = (limits = everyLimit, clocks: ClockGuardOptions = {}, watch = new CleaningObserver()): CleanHandler =>
    new CleanHandler(
      bench.db,
      new Generations(bench.db),
      records(),
      limits,
      new ClockGuard(bench.db, clocks),
      bench.log,
      new AuditLog(bench.db),
      watch,
    );
  const facts = (certname: string, days: number): Promise<unknown> =>
    bench.submit('replace facts', certname, { payload: factset(certname, {}, { producer_timestamp: ago(days) }) });
  const away = (certname: string, days: number): Promise<unknown> =>
    bench.submit('deactivate node', certname, { payload: { certname, producer_timestamp: ago(days) } });
  const reported = (certname: string, days: number): Promise<unknown> =>
    bench.submit('store report', certname, { payload: report(certname, [], { producer_timestamp: ago(days) }) });
  const nodes = async (): Promise<string[]> => {
    const rows = await bench.rows<{ node: string }>(
      `SELECT certname || CASE WHEN expired IS NOT NULL THEN ' expired' WHEN deactivated IS NOT NULL THEN ' away' ELSE '' END AS node
       FROM {schema}.nodes ORDER BY 1`,
    );
    return rows.map(({ node }) => node);
  };

  it('does cleanEverything that is due, tells how much, and queries see it at once; a second time there is nothing', async () => {
    await facts('heard', 1);
    await facts('silent', 8);
    await away('gone-long', 20);
    await away('gone', 2);
    await reported('heard', 15);
    await reported('heard', 3);
    await bench.settle();
    project();
    const before = Date.now();
    const watch = new RecordingWatch();
    expect(await handler(everyLimit, {}, watch).execute(new Clean(cleanEverything, 'exact'))).toMatchObject({
      expired: 1,
      purged: 1,
      reportsPurged: 1,
    });
    expect([...new Set(watch.steps)]).toEqual(['started', ...Object.keys(cleaningSteps), 'done']);
    expect(await nodes()).toEqual(['gone away', 'heard', 'silent expired']);
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.reports')).toEqual([{ count: 1 }]);
    const [row] = await bench.rows<{ expired: string }>(
      `SELECT expired::text FROM {schema}.nodes WHERE certname = 'silent'`,
    );
    const expired = new Date(row?.expired ?? 0).getTime();
    expect(expired).toBeGreaterThanOrEqual(before);
    expect(expired).toBeLessThanOrEqual(Date.now());
    const ends = await bench.log.ends();
    expect(await handler().execute(new Clean(cleanEverything, 'exact'))).toEqual(nothingDone);
    expect(await bench.log.ends()).toEqual(ends);
  });

  it('removes as many nodes as the request says, else as the setting says; 0 as setting is no limit', async () => {
    for (let index = 0; index < 9; index++) await away(`gone-${index}`, 20 + index);
    await bench.settle();
    project();
    const purge = (limits: AgeLimits, limit?: number): Promise<unknown> =>
      handler(limits).execute(
        new Clean({ ...cleanNothing, purgeNodes: limit === undefined ? {} : { limit } }, 'exact'),
      );
    const limits = (nodes: number): AgeLimits => ({
      ...noAgeLimits,
      nodePurgeTtl: 14 * dayMs,
      nodePurgeGcBatchLimit: nodes,
    });
    expect(await purge(limits(2), 0)).toMatchObject({ purged: 0 });
    expect(await purge(limits(2), 1)).toMatchObject({ purged: 1 });
    expect(await nodes()).not.toContain('gone-8 away');
    expect(await purge(limits(2))).toMatchObject({ purged: 2 });
    expect(await nodes()).toHaveLength(6);
    expect(await purge(limits(0))).toMatchObject({ purged: 6 });
    expect(await nodes()).toEqual([]);
  });

  it('a limit of 0 turns its kind off', async () => {
    await facts('silent', 800);
    await away('gone', 900);
    await reported('silent', 850);
    await bench.settle();
    project();
    expect(
      await handler({ ...noAgeLimits, nodePurgeGcBatchLimit: 25 }).execute(new Clean(cleanEverything, 'exact')),
    ).toEqual(nothingDone);
  });

  it('runs once at a time; one that is stopped says so, and what it gave is applied later', async () => {
    await facts('silent', 8);
    await bench.settle();
    const watch = new RecordingWatch();
    const one = handler(everyLimit, {}, watch);
    const leaving = new AbortController();
    const first = one.execute(new Clean(cleanEverything, 'exact', leaving.signal));
    first.catch(() => undefined);
    await expect(one.execute(new Clean(cleanEverything, 'exact'))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'admin.running',
    });
    const starts = (): number => watch.steps.filter((step) => step === 'started').length;
    await until(() => starts() === 1);
    await stays(() => starts() === 1, { forMs: 200, what: 'a single cleaning' });
    leaving.abort();
    await expect(first).rejects.toMatchObject({ kind: 'busy', code: 'admin.not-applied' });
    expect(watch.steps).toEqual(['started', 'find_due', 'not done']);
    expect(await nodes()).toEqual(['silent']);
    project();
    await one.execute(new Clean({ ...cleanNothing, purgeReports: true }, 'exact'));
    await until(async () => (await nodes()).join() === 'silent expired');
  });

  it.each([
    ['ahead of', 61_500],
    ['behind', -7_200_000],
  ])('does nothing while the process’s clock is %s the database’s, and says so', async (_, aheadMs) => {
    await facts('silent', 8);
    await away('gone', 20);
    await reported('silent', 15);
    await bench.settle();
    project();
    const looks: (Fault | undefined)[] = [];
    let ahead = aheadMs;
    const cleaning = handler(everyLimit, {
      now: () => Date.now() + ahead,
      onCheck: (fault) => void looks.push(fault),
    });
    const ends = await bench.log.ends();
    for (const request of [
      { ...cleanNothing, expireNodes: true },
      { ...cleanNothing, purgeNodes: {} },
      { ...cleanNothing, purgeReports: true },
      { ...cleanNothing, collectOther: true },
      cleanEverything,
    ]) {
      const refusal = await cleaning.execute(new Clean(request, 'exact')).catch((error: unknown) => error as Fault);
      expect(refusal).toMatchObject({
        kind: 'conflict',
        code: 'admin.clock-skew',
        message: expect.stringMatching(/says \S+Z, the clock of the database \S+Z: they are \d+ s apart/),
        hint: expect.stringContaining('NTP'),
      });
      expect(looks.at(-1)).toBe(refusal);
    }
    expect(await bench.log.ends()).toEqual(ends);
    // Sets the clock so that the difference is within the limit.
    ahead = Math.sign(aheadMs) * 58_000;
    expect(await cleaning.execute(new Clean(cleanEverything, 'exact'))).toMatchObject({
      expired: 1,
      purged: 1,
      reportsPurged: 1,
    });
    expect(looks.at(-1)).toBeUndefined();
  });

  it('purges dead letters only while the clocks agree', async () => {
    await bench.submit('replace facts', 'broken', { payload: '{' });
    await bench.settle();
    await bench.rows(`UPDATE nodeledger.dead_letters SET last_rejected_at = now() - interval '31 days'`);
    const states = (): Promise<unknown> => bench.rows('SELECT state FROM nodeledger.dead_letters');
    // No other step of the cleaning reads the time.
    const limits = { ...noAgeLimits, deadLetterTtl: 30 * dayMs };
    const request = new Clean({ ...cleanNothing, collectOther: true }, 'exact');
    const skewed = handler(limits, { now: () => Date.now() + 61_500 }).execute(request);
    await expect(skewed).rejects.toMatchObject({ code: 'admin.clock-skew' });
    expect(await states()).toEqual([{ state: 'waiting' }]);
    expect(await handler(limits).execute(request)).toEqual({ ...nothingDone, deadLettersPurged: 1 });
    expect(await states()).toEqual([{ state: 'purged' }]);
  });

  it('takes an age limit that reaches back before all years for what it is: nothing is as old', async () => {
    await facts('silent', 8);
    await reported('silent', 8);
    await bench.settle();
    project();
    const millennia = 3_000 * 365 * dayMs;
    const cleaned = await handler({
      ...{ nodeTtl: millennia, nodePurgeTtl: millennia, reportTtl: millennia, resourceEventsTtl: millennia },
      ...{ nodePurgeGcBatchLimit: 25, deadLetterTtl: millennia, auditTtl: millennia },
    }).execute(new Clean(cleanEverything, 'exact'));
    expect(cleaned).toEqual(nothingDone);
  });

  it('leaves a node alone that came back after it was looked up', async () => {
    await facts('back', 8);
    await bench.settle();
    const ends = await bench.log.ends();
    const cleaning = handler().execute(new Clean(cleanEverything, 'exact'));
    // The record of the cleaning is not applied yet. The cleaning saw the old facts. The new facts are in the log,
    // before or after this record.
    await facts('back', 0);
    await until(async () => (await appendedSince(ends)).reduce((sum, records) => sum + records, 0) === 2);
    project();
    await cleaning;
    await bench.settle();
    expect(await nodes()).toEqual(['back']);
  });

  /** Records appended since the last call, by partition. */
  async function appendedSince(before: ReadonlyMap<number, number>): Promise<number[]> {
    const ends = await bench.log.ends();
    return [...ends].map(([partition, end]) => end - (before.get(partition) ?? 1));
  }

  it('gives one record to a partition at most, for all of its nodes, and none where nothing would change', async () => {
    for (let index = 0; index < 30; index++) {
      await facts(`silent-${index}`, 9);
      await reported(`silent-${index}`, 16);
      await away(`gone-${index}`, 20);
    }
    await reported('recent', 3);
    await bench.settle();
    project();
    const limits = {
      ...noAgeLimits,
      nodeTtl: 7 * dayMs,
      nodePurgeTtl: 14 * dayMs,
      reportTtl: 14 * dayMs,
      resourceEventsTtl: 2 * dayMs,
    };
    let ends = await bench.log.ends();
    expect(await handler(limits).execute(new Clean(cleanEverything, 'aligned'))).toMatchObject({
      expired: 30,
      purged: 30,
      reportsPurged: 30,
    });
    expect(await appendedSince(ends)).toEqual([1, 1, 1, 1]);
    ends = await bench.log.ends();
    for (const cutoffs of ['aligned', 'exact', 'aligned'] as const) {
      expect(await handler(limits).execute(new Clean(cleanEverything, cutoffs))).toEqual(nothingDone);
    }
    expect(await appendedSince(ends)).toEqual([0, 0, 0, 0]);
    // The cleaning appends one record for one node that is due.
    await reported('late', 15);
    await bench.settle();
    ends = await bench.log.ends();
    expect(await handler(limits).execute(new Clean(cleanEverything, 'aligned'))).toMatchObject({ reportsPurged: 1 });
    expect((await appendedSince(ends)).sort()).toEqual([0, 0, 0, 1]);
  });

  it('a cleaning at intervals waits for a full step, one on request does not', async () => {
    const limits = { ...noAgeLimits, reportTtl: 14 * dayMs, resourceEventsTtl: 14 * dayMs };
    const midnight = Math.floor(Date.now() / dayMs) * dayMs;
    const made = async (certname: string, ms: number): Promise<void> => {
      const producer_timestamp = new Date(ms - 14 * dayMs).toISOString();
      await bench.submit('store report', certname, { payload: report(certname, [], { producer_timestamp }) });
    };
    await made('yesterday', midnight - 1);
    await made('today', Math.max(midnight, Date.now() - 1_000));
    await bench.settle();
    project();
    expect(await handler(limits).execute(new Clean(cleanEverything, 'aligned'))).toMatchObject({ reportsPurged: 1 });
    expect(await handler(limits).execute(new Clean(cleanEverything, 'exact'))).toMatchObject({ reportsPurged: 1 });
  });

  it('removes events before their reports where they have an age limit of their own', async () => {
    const eventful = (certname: string, days: number): Promise<unknown> =>
      bench.submit('store report', certname, {
        payload: report(certname, [event('a')], { producer_timestamp: ago(days) }),
      });
    for (const days of [1, 4, 16]) await eventful('a', days);
    await bench.settle();
    project();
    const cleaning = handler({ ...noAgeLimits, reportTtl: 14 * dayMs, resourceEventsTtl: 3 * dayMs });
    expect(await cleaning.execute(new Clean({ ...cleanNothing, purgeEvents: true }, 'exact'))).toMatchObject({
      reportsPurged: 0,
      eventsPurged: 2,
    });
    expect(await cleaning.execute(new Clean(cleanEverything, 'exact'))).toMatchObject({
      reportsPurged: 1,
      eventsPurged: 0,
    });
    const left = `SELECT (SELECT count(*)::int FROM {schema}.reports) AS reports,
                    (SELECT count(*)::int FROM {schema}.resource_events) AS events, (SELECT count(*)::int FROM {schema}.event_counts) AS counts`;
    expect(await bench.rows(left)).toEqual([{ reports: 2, events: 1, counts: 1 }]);
  });

  it('goes on in rounds where one record does not do everything', async () => {
    for (let index = 0; index < 450; index++) await away(`gone-${index}`, 20);
    await bench.settle();
    project();
    const limits = { ...noAgeLimits, nodePurgeTtl: 14 * dayMs };
    const ends = await bench.log.ends();
    expect(await handler(limits).execute(new Clean(cleanEverything, 'exact'))).toMatchObject({ purged: 450 });
    expect(await nodes()).toEqual([]);
    expect(Math.max(...(await appendedSince(ends)))).toBe(2);
  });

  it('refuses a second cleaning in another process', async () => {
    await facts('silent', 8);
    await bench.settle();
    const otherDb = new Database({ connectionString: bench.connectionString, max: 3 });
    const clocks = new ClockGuard(otherDb);
    const other = new CleanHandler(
      ...([
        otherDb,
        new Generations(otherDb),
        records(),
        everyLimit,
        clocks,
        bench.log,
        new AuditLog(otherDb),
        new CleaningObserver(),
      ] as const),
    );
    const first = handler().execute(new Clean(cleanEverything, 'exact'));
    // When the record is in the log, the cleaning holds the lock.
    const ends = await bench.log.ends();
    while ((await appendedSince(ends)).every((records) => records === 0)) await delay(10);
    const refused = { kind: 'conflict', code: 'admin.running' };
    await expect(other.execute(new Clean(cleanEverything, 'exact'))).rejects.toMatchObject(refused);
    project();
    expect(await first).toMatchObject({ expired: 1 });
    expect(await other.execute(new Clean(cleanEverything, 'exact'))).toEqual(nothingDone);
    await otherDb.close();
  });

  it('neither blocks nor cancels queries, and holds no lock that a projector waits on for long, however much goes', async () => {
    await bench.submit('store report', 'a', {
      payload: report('a', [event('one'), event('two')], { producer_timestamp: ago(20) }),
    });
    await bench.settle();
    const { schema } = bench.generation;
    const copies = 8_000;
    for (const [table, columns] of [
      [
        'reports',
        'hash, node, environment, producer, agent_version, report_format, configuration_version, start_time, end_time, producer_timestamp, receive_time, type, logs, metrics, resources, log_partition, log_offset',
      ],
      [
        'resource_events',
        'node, ordinal, status, timestamp, resource_type, resource_title, property, new_value, old_value, since',
      ],
      [
        'event_counts',
        'class_key, node, producer_timestamp, successes, failures, noops, skips, corrective_successes, corrective_noops, since',
      ],
    ]) {
      await bench.rows(
        `INSERT INTO ${schema}.${table} (report, ${columns})
         SELECT md5(n::text)::uuid, ${columns} FROM ${schema}.${table}, generate_series(1, ${copies}) n`,
      );
    }
    project();
    const stopped = new AbortController();
    const [asking, watching] = [
      new Database({ connectionString: bench.connectionString, max: 1, applicationName: 'queries' }),
      new Database({ connectionString: bench.connectionString, max: 1 }),
    ];
    let [queries, commands, longestWaitMs] = [0, 0, 0];
    const queryLoop = async (): Promise<void> => {
      for (; !stopped.signal.aborted; queries++) {
        await asking.query({
          text: `SELECT count(*) FROM ${schema}.reports r JOIN ${schema}.resource_events e USING (report)`,
          values: [],
        });
      }
    };
    const submitLoop = async (): Promise<void> => {
      for (; !stopped.signal.aborted; commands++) {
        const position = (await facts(`busy-${commands % 5}`, 0)) as { partition: number; offset: number };
        expect(await completions.wait(position, 60_000)).toMatchObject({ processed: true, rejection: undefined });
      }
    };
    const watchLoop = async (): Promise<void> => {
      while (!stopped.signal.aborted) {
        const [row] = await watching.query<{ ms: number }>({
          // Identifies transactions by the waiting backend: pg_locks has no database for a transaction, and other
          // suites use the same server.
          text: `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)::float8 AS ms
                 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`,
          values: [],
        });
        longestWaitMs = Math.max(longestWaitMs, row?.ms ?? 0);
        await delay(5);
      }
    };
    const loops = Promise.all([queryLoop(), submitLoop(), watchLoop()]);
    try {
      const cleaned = await handler().execute(
        new Clean({ ...cleanNothing, purgeReports: true, purgeEvents: true }, 'exact'),
      );
      expect(cleaned).toMatchObject({ reportsPurged: copies + 1, eventsPurged: 2 * (copies + 1) });
    } finally {
      stopped.abort();
      await loops;
      await Promise.all([asking.close(), watching.close()]);
    }
    expect(queries).toBeGreaterThan(3);
    expect(commands).toBeGreaterThan(3);
    expect(longestWaitMs).toBeLessThan(1_000);
  }, 120_000);

  it('a deletion takes what stands in the log before it; an unknown node is no error', async () => {
    await facts('a', 1);
    await facts('b', 1);
    project();
    const deletion = new DeleteNodeHandler(records());
    await deletion.execute(new DeleteNode('a'));
    await deletion.execute(new DeleteNode('nobody'));
    await bench.settle();
    expect(await nodes()).toEqual(['b']);
    await facts('a', 3);
    await bench.settle();
    expect(await nodes()).toEqual(['a', 'b']);
  });
});
