/**
 * Kills `nodeledger snapshot` at every stage and lets it finish. Base and tail together must give the same tables as
 * the whole log, and no other records.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithKafka } from '../support/kafka';
import { allRecords, payloadText } from './all-records';
import { FedFleet, fleetSettings, tightSettings, wideSettings } from './fed-fleet';
import { generationsThat, killWhen, snapshotStage, type SnapshotStage } from './kill-at';
import { Load } from './load';
import { rawMessages } from './raw-topics';
import { Seeded } from './seeded';
import { storedText } from './stored-text';
import { dumpOf, rowsIn, settled, type Dump } from './tables';
import type { RebuildJson, SnapshotJson } from './verbs';
import { WholeService, type LogBody } from './whole-service';

const settleMs = 60_000;
/**
 * The history is counted back from the start of the verb. It is longer than the verb runs, and no commands come
 * meanwhile.
 */
const startMs = 5_000;
const queries = ['nodes', 'factsets', 'reports?limit=20', `events?query=["=","latest_report?",true]`];
/**
 * The stages at which the test kills the verb: every stage, and the last stages twice, because they are short and
 * change the log.
 */
const stages: readonly SnapshotStage[] = ['replay', 'proof', 'proved', 'proved', 'proved'];

function snapshots(body: LogBody): void {
  let random: Seeded;
  let on: WholeService;
  let fleet: FedFleet;
  const killsAt = new Map<string, number>();
  beforeAll(async () => {
    random = Seeded.ofRun(`snapshot, ${body}`);
    on = await WholeService.open(body, { ...fleetSettings, ...tightSettings });
    fleet = new FedFleet(random.fork(), () => on.url);
  }, 120_000);
  afterAll(() => on.close(), 60_000);

  const settle = (): Promise<void> => settled(on.db, on.log, settleMs);
  const recordsOf = async (): Promise<number> => (await allRecords(on.log)).length;

  async function killed(stage: SnapshotStage, history: () => string): Promise<void> {
    const running = on.verbs.start('snapshot', '--history', history(), '--yes');
    const { killed: died, end } = await killWhen(running, snapshotStage(on.db, stage), random.whole(0, 150));
    if (died) killsAt.set(stage, (killsAt.get(stage) ?? 0) + 1);
    // A verb that was killed too late has finished. A verb that was refused found the lock of the previous one.
    else if (end.code !== 0 && !/is already running/.test(end.stderr)) throw new Error(end.stderr);
    for (const deadline = Date.now() + 20_000; await maintained(); await delay(50)) {
      if (Date.now() > deadline) throw new Error('the connections of a killed snapshot did not go');
    }
  }

  async function maintained(): Promise<boolean> {
    const rows = await on.db.query({
      text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'nodeledger maintenance'`,
      values: [],
    });
    return rows.length > 0;
  }

  /** Makes the tables from base and tail in three ways. */
  async function expectSame(before: Dump): Promise<void> {
    expect(await dumpOf(on.db)).toEqual(before);
    expect(await on.verbs.verify()).toMatchObject({ counted: 0, differences: [] });
    expect(await on.verbs.answer<RebuildJson>('rebuild')).toMatchObject({ switched: true, comparison: { counted: 0 } });
    expect(await dumpOf(on.db)).toEqual(before);
  }

  test('up to a moment in between', async () => {
    await fleet.sendLarge();
    await fleet.feed(300);
    await settle();
    await on.restart(wideSettings);
    expect(await fleet.retry()).toMatchObject({ applied: 3, rejected: expect.any(Number) as number });
    await settle();
    const moment = Date.now();
    expect(await on.verbs.verify()).toMatchObject({ counted: 0 });
    await delay(startMs);
    await fleet.feed(300);
    await settle();
    const [before, records] = [await dumpOf(on.db), await recordsOf()];

    const history = (): string => `${Date.now() - moment}ms`;
    for (const stage of stages) {
      await killed(stage, history);
      expect(await dumpOf(on.db)).toEqual(before);
    }
    await on.verbs.answer<SnapshotJson>('snapshot', '--history', history(), '--yes');
    const { starts, tails, ends } = await on.log.extent();
    for (const [partition, tail] of tails) {
      expect(starts.get(partition)).toBeLessThan(tail);
      expect(tail).toBeLessThan(ends.get(partition) as number);
    }
    const left = await recordsOf();
    expect(left).toBeLessThan(records);
    await expectSame(before);
    console.log(
      `snapshot, ${body}: up to a moment: ${records} records became ${left}, ${rowsIn(before)} rows the same`,
    );
  }, 300_000);

  test('up to the end, under load', async () => {
    const load = new Load({ url: on.url, next: fleet.next, queries, pauseMs: 30 });
    let count: Awaited<ReturnType<Load['stop']>>;
    try {
      await fleet.feed(200);
      await fleet.retry();
      for (const stage of stages) await killed(stage, () => '0');
    } finally {
      count = await load.stop();
    }
    expect([count.failedCommands, count.failedQueries]).toEqual([[], []]);
    expect(count.commands).toBeGreaterThan(50);
    await settle();
    const [before, records] = [await dumpOf(on.db), await recordsOf()];
    const outcome = await on.verbs.answer<SnapshotJson>('snapshot', '--history', '0', '--yes');
    expect(outcome).toMatchObject({ nothingToDo: false });
    const extent = await on.log.extent();
    expect(extent.tails).toEqual(extent.ends);
    expect(await recordsOf()).toBe(outcome.kept);
    await expectSame(before);
    expect(await generationsThat(on.db, 'scratch')).toBe(0);
    expect([...killsAt.values()].reduce((sum, kills) => sum + kills, 0)).toBeGreaterThanOrEqual(4);
    console.log(
      `snapshot, ${body}: up to the end: ${records} records became ${outcome.kept}, ${rowsIn(before)} rows the same; killed ` +
        `${[...killsAt].map(([stage, kills]) => `${kills} at ${stage}`).join(', ')}; beside it ${count.commands} commands and ${count.queries} queries, none failed`,
    );
  }, 300_000);

  test('nothing of a node that is gone is left', async () => {
    expect(fleet.gone.length).toBeGreaterThan(15);
    const records = await allRecords(on.log);
    const texts = records.map((record) => `${JSON.stringify({ ...record, payload: '' })} ${payloadText(record)}`);
    const stored =
      body === 'embedded'
        ? await storedText(on.db)
        : (await rawMessages(on.brokers, on.topic)).map(
            ({ headers, value }) => `${JSON.stringify(headers)} ${value.toString()}`,
          );
    for (const all of [texts, stored]) {
      expect(all.length).toBeGreaterThanOrEqual(records.length);
      // Checks that the search finds text that is stored.
      expect(all.some((text) => text.includes(fleet.living[0] as string))).toBe(true);
      for (const certname of fleet.gone) {
        const found = all.filter((text) => text.includes(certname)).map((text) => text.slice(0, 300));
        expect(found).toEqual([]);
      }
    }
    console.log(
      `snapshot, ${body}: nothing of ${fleet.gone.length} nodes in ${texts.length} records and ${stored.length} rows or messages`,
    );
  }, 120_000);
}

describe('embedded log', () => snapshots('embedded'));
describeWithKafka('log on Kafka', () => snapshots('kafka'));
