import { AuditLog } from '#access';
import { setTimeout as delay } from 'node:timers/promises';
import { Completions } from '#commands';
import { Generations } from '#database';
import type { Fault } from '#fault';
import { factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { AgeLimits } from '../age-limits';
import { DeleteNode } from '../delete-node/delete-node';
import { DeleteNodeHandler } from '../delete-node/delete-node.handler';
import { ClockGuard, type ClockGuardOptions } from '../clocks/clock-guard';
import { NodeRecords } from '../node-records';
import { Clean, everything, type Cleaned, type CleanRequest } from './clean';
import { CleanWatch, type CleaningStep, cleaningSteps } from './clean-watch';
import { CleanHandler } from './clean.handler';

const dayMs = 86_400_000;
const nothing: CleanRequest = {
  expireNodes: false,
  purgeNodes: undefined,
  purgeReports: false,
  collectPackages: false,
  collectOther: false,
};
const nothingDone: Cleaned = { expired: 0, purged: 0, reportsPurged: 0, deadLettersPurged: 0, unusedRows: 0 };
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

class Told extends CleanWatch {
  readonly steps: string[] = [];

  override begun(): void {
    this.steps.push('begun');
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
  const records = (): NodeRecords => new NodeRecords(bench.log, completions);
  const everyLimit = new AgeLimits(7 * dayMs, 14 * dayMs, 14 * dayMs, 25, 30 * dayMs, 365 * dayMs);
  const handler = (limits = everyLimit, clocks: ClockGuardOptions = {}, watch = new CleanWatch()): CleanHandler =>
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

  it('does everything that is due, tells how much, and queries see it at once; a second time there is nothing', async () => {
    await facts('heard', 1);
    await facts('silent', 8);
    await away('gone-long', 20);
    await away('gone', 2);
    await reported('heard', 15);
    await reported('heard', 3);
    await bench.settle();
    project();
    const before = Date.now();
    const told = new Told();
    expect(await handler(everyLimit, {}, told).execute(new Clean(everything))).toMatchObject({
      expired: 1,
      purged: 1,
      reportsPurged: 1,
    });
    expect([...new Set(told.steps)]).toEqual(['begun', ...Object.keys(cleaningSteps), 'done']);
    expect(await nodes()).toEqual(['gone away', 'heard', 'silent expired']);
    expect(await bench.rows('SELECT count(*)::int FROM {schema}.reports')).toEqual([{ count: 1 }]);
    const [row] = await bench.rows<{ expired: string }>(
      `SELECT expired::text FROM {schema}.nodes WHERE certname = 'silent'`,
    );
    const expired = new Date(row?.expired ?? 0).getTime();
    expect(expired).toBeGreaterThanOrEqual(before);
    expect(expired).toBeLessThanOrEqual(Date.now());
    const ends = await bench.log.ends();
    expect(await handler().execute(new Clean(everything))).toEqual(nothingDone);
    expect(await bench.log.ends()).toEqual(ends);
  });

  it('removes as many nodes as the request says, else as the setting says; 0 as setting is no limit', async () => {
    for (let index = 0; index < 9; index++) await away(`gone-${index}`, 20 + index);
    await bench.settle();
    project();
    const purge = (limits: AgeLimits, limit?: number): Promise<unknown> =>
      handler(limits).execute(new Clean({ ...nothing, purgeNodes: limit === undefined ? {} : { limit } }));
    const limits = (nodes: number): AgeLimits => new AgeLimits(0, 14 * dayMs, 0, nodes, 0, 0);
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
    expect(await handler(new AgeLimits(0, 0, 0, 25, 0, 0)).execute(new Clean(everything))).toEqual(nothingDone);
  });

  it('runs once at a time; one that is stopped says so, and what it gave is applied later', async () => {
    await facts('silent', 8);
    await bench.settle();
    const told = new Told();
    const one = handler(everyLimit, {}, told);
    const leaving = new AbortController();
    const first = one.execute(new Clean(everything, leaving.signal));
    const begun = told.steps.length;
    first.catch(() => undefined);
    await expect(one.execute(new Clean(everything))).rejects.toMatchObject({ kind: 'conflict', code: 'admin.running' });
    expect([begun, told.steps]).toEqual([1, ['begun']]);
    await delay(200);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ kind: 'busy', code: 'admin.not-applied' });
    expect(told.steps).toEqual(['begun', 'not done']);
    expect(await nodes()).toEqual(['silent']);
    project();
    await one.execute(new Clean({ ...nothing, purgeReports: true }));
    await delay(300);
    expect(await nodes()).toEqual(['silent expired']);
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
      onLook: (fault) => void looks.push(fault),
    });
    const ends = await bench.log.ends();
    for (const request of [
      { ...nothing, expireNodes: true },
      { ...nothing, purgeNodes: {} },
      { ...nothing, purgeReports: true },
      { ...nothing, collectOther: true },
      everything,
    ]) {
      const refusal = await cleaning.execute(new Clean(request)).catch((error: unknown) => error as Fault);
      expect(refusal).toMatchObject({
        kind: 'conflict',
        code: 'admin.clock-skew',
        message: expect.stringMatching(/says \S+Z, the clock of the database \S+Z: they are \d+ s apart/),
        hint: expect.stringContaining('NTP'),
      });
      expect(looks.at(-1)).toBe(refusal);
    }
    expect(await bench.log.ends()).toEqual(ends);
    // A difference that does not matter.
    ahead = Math.sign(aheadMs) * 58_000;
    expect(await cleaning.execute(new Clean(everything))).toMatchObject({ expired: 1, purged: 1, reportsPurged: 1 });
    expect(looks.at(-1)).toBeUndefined();
  });

  it('takes an age limit that reaches back before all years for what it is: nothing is as old', async () => {
    await facts('silent', 8);
    await reported('silent', 8);
    await bench.settle();
    project();
    const millennia = 3_000 * 365 * dayMs;
    const cleaned = await handler(new AgeLimits(millennia, millennia, millennia, 25, millennia, millennia)).execute(
      new Clean(everything),
    );
    expect(cleaned).toEqual(nothingDone);
  });

  it('leaves a node alone that came back after it was looked up', async () => {
    await facts('back', 8);
    await bench.settle();
    const cleaning = handler().execute(new Clean(everything));
    // Not projected yet: the clean saw the old facts, the log has the new ones before or behind its record.
    await facts('back', 0);
    await delay(100);
    project();
    await cleaning;
    await bench.settle();
    expect(await nodes()).toEqual(['back']);
  });

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
