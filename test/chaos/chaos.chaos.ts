/**
 * Submits commands while the service, its database and its brokers are killed and restarted. No acknowledged command
 * may be lost or applied twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { Database } from '#database';
import { readSettings } from '#config';
import type { LogRecord } from '#log';
import { openCommandLog } from '../../apps/server/open-log';
import { temporaryDataDir } from '../e2e/service';
import { Model, type NodeView } from '../model/model';
import type { Document, Json, Submission } from '../model/steps';
import { storedCertnames, storedNode, unordered } from '../model/stored';
import { FaultProxy } from '../support/fault-proxy';
import { describeWithKafka, startBroker } from '../support/kafka';
import { allRecords, payloadText } from './all-records';
import { KeptProcess } from './kept-process';
import { OwnPostgres } from './own-postgres';
import { submitPatiently, type Outcome } from './patient-client';
import { RandomCommands } from './random-commands';
import { rawMessages } from './raw-topics';
import { Seeded } from './seeded';
import { liveGeneration, rowsIn, settled, dumpOf } from './tables';
import { Trouble, type Surroundings } from './trouble';
import { Verbs } from './verbs';
import { askQuery } from '../support/ask-query';

const nodes = Array.from({ length: 100 }, (_, n) => `n${n}.chaos.test`);
const commandCount = 2_000;
const clients = 20;
const askers = 3;
/**
 * Average pause of each client between two commands. Without failures, all commands take a minute; with failures, twice
 * that.
 */
const pauseMs = 500;
const impatient = 0.1;
/** Longer than a query waits for a connection. */
const answerMs = 40_000;
const settleMs = 90_000;
const topic = 'chaos.commands';

interface Sent {
  readonly submission: Submission;
  readonly outcome: Outcome;
}

describeWithKafka('while all around the service breaks', () => {
  const closers: (() => Promise<unknown>)[] = [];
  let random: Seeded;
  let around: Surroundings;
  let commandApi: KeptProcess;
  let queryApi: KeptProcess;
  let env: Record<string, string>;
  let verbs: Verbs;

  beforeAll(async () => {
    random = Seeded.ofRun('chaos');
    const dataDir = await temporaryDataDir();
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const proxy = await FaultProxy.open();
    closers.push(() => proxy.close());
    const broker = await startBroker({ proxyPort: proxy.port });
    closers.push(() => broker.stop());
    proxy.forwardTo(broker.behindPort as number);
    const postgres = await OwnPostgres.start();
    closers.push(() => postgres.stop());
    env = {
      DATABASE_URL: postgres.connectionString,
      KAFKA_BROKERS: proxy.address,
      NODELEDGER_LOG_TOPIC: topic,
      NODELEDGER_LOG_PARTITIONS: '6',
      NODELEDGER_GC_INTERVAL: '0',
      NODELEDGER_SNAPSHOT_INTERVAL: '0',
    };
    verbs = new Verbs(dataDir, env);
    const [api, first, second, query] = (['command-api', 'projector', 'projector', 'query-api'] as const).map((app) => {
      const kept = new KeptProcess({ dataDir, env, app });
      closers.push(() => kept.stop());
      return kept;
    }) as [KeptProcess, KeptProcess, KeptProcess, KeptProcess];
    [commandApi, queryApi] = [api, query];
    around = { broker, proxy, postgres, projectors: [first, second] };
    for (const one of [api, first, second, query]) await one.running();
  }, 180_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, 120_000);

  test('nothing acknowledged is lost or doubled, and what was not acknowledged is never half', async () => {
    const began = Date.now();
    const trouble = new Trouble(around, random.fork());
    let sent: Sent[];
    const asking = new AbortController();
    const statuses = Promise.all(Array.from({ length: askers }, () => askAllTheTime(asking.signal)));
    try {
      sent = await sendAll();
    } finally {
      asking.abort();
      await trouble.stop();
    }
    const seconds = (Date.now() - began) / 1000;
    const acknowledged = sent.filter(({ outcome }) => outcome.uuid !== undefined);
    const happened = [...trouble.counts].map(([what, times]) => `${what} ${times}`).sort();
    console.log(
      `chaos: ${acknowledged.length} of ${sent.length} commands acknowledged in ${seconds.toFixed(0)} s; ${happened.join(', ')}`,
    );
    const answers = (await statuses).flat();
    const failures = sent.flatMap(({ outcome }) => outcome.failures);
    const refused = around.projectors.reduce((sum, one) => sum + one.refused, 0);
    console.log(
      `chaos: ${failures.length} attempts failed (${counted(failures)}); queries: ${counted(answers)}; ${refused} starts of projectors refused meanwhile`,
    );
    // A kind of failure that did not happen was not tested.
    expect([...trouble.counts.keys()].sort()).toHaveLength(14);
    expect(failures).toContain('503');
    expect(acknowledged.length).toBeGreaterThan(commandCount * 0.85);

    const db = new Database({ connectionString: env.DATABASE_URL as string, max: 4, applicationName: 'test' });
    const { settings } = readSettings([], { ...env, KAFKA_BROKERS: around.broker.brokers.join() });
    const log = await openCommandLog(settings, db);
    closers.push(
      () => db.close(),
      () => log.close(),
    );
    await log.open();
    const healed = Date.now();
    await settled(db, log, settleMs);
    console.log(`chaos: all is projected ${((Date.now() - healed) / 1000).toFixed(1)} s after all is whole again`);

    const raw = (await rawMessages(around.broker.brokers, topic)).filter(({ headers }) => headers.uuid !== undefined);
    const uuids = raw.map(({ headers }) => headers.uuid);
    const there = new Set(uuids);
    expect(acknowledged.map(({ outcome }) => outcome.uuid).filter((uuid) => !there.has(uuid))).toEqual([]);
    const records = await allRecords(log);
    expect(records.map(({ uuid }) => uuid).sort()).toEqual(uuids.sort());

    await expectReports(sent);
    const { schema } = await liveGeneration(db);
    const stored: Record<string, NodeView> = {};
    for (const certname of await storedCertnames(db, schema, '')) {
      stored[certname] = unordered((await storedNode(db, schema, certname)) as NodeView);
    }
    expect(stored).toEqual(foldOf(records));
    const [letters] = await db.query<{ n: number }>({
      text: 'SELECT count(*)::int AS n FROM nodeledger.dead_letters',
      values: [],
    });
    expect(letters).toEqual({ n: 0 });
    expect(await verbs.verify()).toMatchObject({ counted: 0, differences: [] });
    for (const one of [commandApi, queryApi, ...around.projectors]) expect(one.endedItself).toBe(0);
    const senseless = answers.filter((answer) => !['200', '503', 'broken'].includes(answer));
    const said = senseless.length === 0 ? '' : (await queryApi.running()).output();
    expect([senseless, said]).toEqual([[], '']);
    console.log(
      `chaos: ${records.length} records, of these ${uuids.length - there.size} stored twice by the log's own retries and ` +
        `${there.size - acknowledged.length} not acknowledged; ${rowsIn(await dumpOf(db))} rows are the model's and the replay's`,
    );
  }, 420_000);

  /** Every node gets the same number of commands, in random order. */
  async function sendAll(): Promise<Sent[]> {
    const commands = new RandomCommands({ random: random.fork(), from: Date.now() });
    const waiting = random.shuffled(Array.from({ length: commandCount }, (_, n) => nodes[n % nodes.length] as string));
    const sent: Sent[] = [];
    const { url } = await commandApi.running();
    const client = async (): Promise<void> => {
      for (let certname = waiting.pop(); certname !== undefined; certname = waiting.pop()) {
        const submission = commands.next(certname);
        const patienceMs = random.chance(impatient) ? random.whole(1, 40) : undefined;
        sent.push({ submission, outcome: await submitPatiently(url, submission, patienceMs) });
        await delay(random.whole(0, 2 * pauseMs));
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return sent;
  }

  /** Sends queries one after the other meanwhile, and records their answers. */
  async function askAllTheTime(signal: AbortSignal): Promise<string[]> {
    const { url } = await queryApi.running();
    const answers: string[] = [];
    for (; !signal.aborted; await delay(100)) answers.push(await answerTo(`${url}/pdb/query/v4/nodes`));
    return answers;
  }

  /** `broken`: the answer is incomplete. Other values describe an answer that makes no sense. */
  async function answerTo(url: string): Promise<string> {
    let answer: Response;
    try {
      answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    } catch (error) {
      return `no answer: ${String(error)}`;
    }
    try {
      const text = await answer.text();
      return answer.status === 200 || answer.status === 503 ? `${answer.status}` : `${answer.status} ${text}`;
    } catch {
      return 'broken';
    }
  }

  /** Checks by queries that each acknowledged document is stored once, and that each stored document is complete. */
  async function expectReports(sent: readonly Sent[]): Promise<void> {
    const on = await queryApi.running();
    const reports = await askQuery<{ hash: string; configuration_version: string }[]>(on, 'reports', [
      '=',
      'type',
      'any',
    ]);
    const events = await askQuery<{ report: string }[]>(on, 'events', ['~', 'certname', '.']);
    const found = reports.map(({ configuration_version }) => configuration_version).sort();
    expect(new Set(found).size).toBe(found.length);
    const ofReport = new Map(reports.map(({ hash }) => [hash, 0]));
    for (const { report } of events) ofReport.set(report, (ofReport.get(report) ?? 0) + 1);
    const sentReports = sent.filter(({ submission }) => submission.command === 'store report');
    const version = ({ submission }: Sent): string => submission.document?.configuration_version as string;
    const taken = sentReports.filter(({ outcome }) => outcome.uuid !== undefined).map(version);
    expect(taken.filter((one) => !found.includes(one))).toEqual([]);
    const eventsOf = new Map(sentReports.map((one) => [version(one), eventCount(one.submission)]));
    expect(
      Object.fromEntries(reports.map(({ hash, configuration_version }) => [configuration_version, ofReport.get(hash)])),
    ).toEqual(Object.fromEntries(found.map((one) => [one, eventsOf.get(one)])));
    console.log(`chaos: ${reports.length} reports and ${events.length} events, each once`);
  }
});

function foldOf(records: readonly LogRecord[]): Record<string, NodeView> {
  const model = new Model();
  for (const record of records) {
    const { command, version, certname, receivedAt } = record;
    const payload = payloadText(record);
    const document = JSON.parse(payload) as Document;
    model.apply({ command, version, certname, payload, document }, receivedAt, record);
  }
  return Object.fromEntries(
    [...model.nodes.keys()].map((certname) => [certname, unordered(model.view(certname) as NodeView)]),
  );
}

function eventCount({ document }: Submission): number {
  const resources = document?.resources as readonly { readonly [key: string]: Json }[];
  return resources.reduce(
    (sum, { skipped, events }) => sum + (skipped === true ? 1 : (events as readonly Json[]).length),
    0,
  );
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ') || 'none';
}
