/** Runs and kills `nodeledger rebuild` while the service constantly receives commands and queries. */
import { describeWithKafka } from '../support/kafka';
import { Load, post, type LoadCount } from './load';
import { generationsThat, killWhen, partBuilt } from './kill-at';
import { RandomCommands } from './random-commands';
import { Seeded } from './seeded';
import { dumpOf, rowsIn, settled } from './tables';
import type { RebuildJson } from './verbs';
import { WholeService, type LogBody } from './whole-service';

const nodes = Array.from({ length: 100 }, (_, n) => `n${n}.rebuild.test`);
const firstCommands = Number(process.env.NODELEDGER_CHAOS_COMMANDS ?? 2_400);
const settleMs = 60_000;
const queries = [
  'nodes',
  'reports?limit=50&order_by=[{"field":"receive_time","order":"desc"}]',
  `facts?query=["=","name","mem"]`,
  `nodes/${nodes[0]}/facts`,
  `resources?query=["=","certname","${nodes[1]}"]`,
  `event-counts?query=["=","latest_report?",true]&summarize_by=certname`,
  `events?query=["=","latest_report?",true]`,
  `catalogs/${nodes[2]}`,
];

function rebuilds(body: LogBody, kills: number): void {
  let random: Seeded;
  let commands: RandomCommands;
  let on: WholeService;
  const next = () => commands.next(random.pick(nodes));
  beforeAll(async () => {
    random = Seeded.ofRun(`rebuild, ${body}`);
    commands = new RandomCommands({ random: random.fork(), from: Date.now() });
    on = await WholeService.open(body);
    // Waits until all nodes are stored, because the queries name them.
    for (const certname of nodes)
      for (const kind of ['facts', 'catalog', 'report'] as const) await accepted(commands.next(certname, kind));
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let n = 0; n < firstCommands / 16; n++) await accepted(next());
      }),
    );
    await settled(on.db, on.log, settleMs);
  }, 180_000);
  afterAll(() => on.close(), 60_000);

  test('no command and no query fails, and the tables are the same', async () => {
    const load = new Load({ url: on.url, next, queries });
    let count: LoadCount;
    const told: string[] = [];
    let killed = 0;
    try {
      const first = await on.verbs.answer<RebuildJson>('rebuild');
      expect(first).toMatchObject({ switched: true, comparison: { counted: 0 } });
      told.push(`${first.records} records in ${first.seconds.toFixed(1)} s`);

      for (let round = 0; round < kills; round++) {
        const until = 0.1 + 0.8 * random.fraction();
        const ends = await on.log.ends();
        const running = on.verbs.start('rebuild', ...(round === 0 ? [] : ['--resume']));
        const reached = async (): Promise<boolean> => (await partBuilt(on.db, ends)) >= until;
        if ((await killWhen(running, reached, random.whole(0, 50))).killed) killed++;
        if ((await generationsThat(on.db, 'building')) === 0) break;
      }
      expect(await generationsThat(on.db, 'building')).toBe(1);
      const refused = await on.verbs.run('rebuild');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is unfinished.*\n.*--resume/)]);
      const resumed = await on.verbs.answer<RebuildJson>('rebuild', '--resume');
      expect(resumed).toMatchObject({ switched: true, comparison: { counted: 0 } });
      told.push(`${resumed.records} more after ${killed} kills`);
      expect(killed).toBeGreaterThan(0);

      const verdict = await on.verbs.verify();
      expect(verdict).toMatchObject({ counted: 0, differences: [] });
      told.push(`${verdict.rows} rows verified`);
    } finally {
      count = await load.stop();
    }
    expect(count.failedCommands).toEqual([]);
    expect(count.failedQueries).toEqual([]);
    expect(count.commands).toBeGreaterThan(100);
    expect(count.queries).toBeGreaterThan(100);
    console.log(
      `rebuild, ${body}: ${told.join('; ')}; beside it ${count.commands} commands (slowest ${Math.round(count.slowestCommandMs)} ms) ` +
        `and ${count.queries} queries (slowest ${Math.round(count.slowestQueryMs)} ms), none failed`,
    );
  }, 240_000);

  test('rebuilt twice is the same', async () => {
    await settled(on.db, on.log, settleMs);
    const before = await dumpOf(on.db);
    for (let time = 0; time < 2; time++) {
      const outcome = await on.verbs.answer<RebuildJson>('rebuild');
      expect(outcome).toMatchObject({ switched: true, comparison: { counted: 0 } });
      expect(await dumpOf(on.db)).toEqual(before);
    }
    console.log(`rebuild, ${body}: twice rebuilt, ${rowsIn(before)} rows the same`);
  }, 120_000);

  async function accepted(submission: ReturnType<typeof next>): Promise<void> {
    const answer = await post(on.url, submission);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.text();
  }
}

describe('embedded log', () => rebuilds('embedded', 3));
describeWithKafka('log on Kafka', () => rebuilds('kafka', 2));
