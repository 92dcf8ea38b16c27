/**
 * Kills the database, and the two processes that deliver changes in turn, while a receiver fails at random. The receiver gets each
 * change, in order for each partition.
 */
import { rm } from 'node:fs/promises';
import { newSigningSecret } from '#changes';
import { Database, statement } from '#database';
import { temporaryDataDir } from '../e2e/service';
import { factset } from '../support/documents';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { KeptProcess } from './kept-process';
import { OwnPostgres, type PostgresEnd } from './own-postgres';
import { Seeded } from './seeded';
import { subscribe, webhookSettings } from './webhook-settings';

const kills = Number(process.env['NODELEDGER_WEBHOOK_KILLS'] ?? 10);
const ends: readonly PostgresEnd[] = ['kill', 'immediate'];
const nodes = Array.from({ length: 30 }, (_, n) => `n${n}.webhooks.test`);

test('the database and the processes that deliver are killed: the receiver misses nothing', async () => {
  const random = Seeded.ofRun('webhooks');
  const dataDir = await temporaryDataDir();
  const postgres = await OwnPostgres.start();
  const receiver = await WebhookReceiver.open(newSigningSecret());
  receiver.answer = () => (random.fraction() < 0.1 ? 500 : 204);
  const env = {
    DATABASE_URL: postgres.connectionString,
    NODELEDGER_LOG_PARTITIONS: '4',
    NODELEDGER_PROJECTOR_THREADS: '1',
    NODELEDGER_GC_INTERVAL: '0',
    NODELEDGER_SNAPSHOT_INTERVAL: '0',
    ...(await webhookSettings(dataDir)),
  };
  const api = new KeptProcess({ app: 'command-api', dataDir, env });
  await api.running();
  const delivering = [1, 2].map(() => new KeptProcess({ app: 'projector', dataDir, env }));
  const db = new Database({ connectionString: postgres.connectionString, max: 2 });
  const post = async (path: string, body: string): Promise<number> => {
    const { url } = await api.running();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    return answer?.status ?? 0;
  };
  let run = 0;
  const change = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const certname = random.pick(nodes);
      const producer_timestamp = new Date(Date.UTC(2026, 0, 1) + ++run * 1_000).toISOString();
      const body = JSON.stringify(factset(certname, { run }, { producer_timestamp }));
      const path = `/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}`;
      await until(async () => (await post(path, body)) === 200, { withinMs: 120_000, everyMs: 100 });
    }
  };
  try {
    for (const one of delivering) await one.running();
    await subscribe(async () => (await api.running()).url, receiver);
    for (let round = 0; round < kills; round++) {
      const changing = change(40);
      await new Promise((resolve) => setTimeout(resolve, 500 * random.fraction()));
      await delivering[round % 2]?.kill();
      await postgres.restart(ends[round % 2] as PostgresEnd, 300 * random.fraction());
      await changing;
    }
    await change(1);
    const [live] = await db.query<{ schema: string; generation: number }>(statement`
      SELECT schema_name AS schema, generation FROM nodeledger.generations WHERE state = 'live'`);
    const waiting = async (): Promise<number> => {
      const [row] = await db.query<{ count: number }>(statement`
        SELECT sum(l.next_offset - p.next_offset)::bigint AS count FROM nodeledger.log_partitions l
        JOIN nodeledger.positions p USING (log_partition) WHERE p.generation = ${live?.generation}`);
      return row?.count ?? 0;
    };
    await until(async () => (await waiting()) === 0, { what: 'tables at the end of the log', withinMs: 120_000 });
    const rows = await db.query<{ id: string }>({
      text: `SELECT uuid || '/' || kind AS id FROM ${live?.schema}.timeline`,
      values: [],
    });
    const missing = (): string[] => {
      const { ids } = receiver;
      return rows.map(({ id }) => id).filter((id) => !ids.has(id));
    };
    await until(() => missing().length === 0, { what: 'all changes', withinMs: 240_000, everyMs: 500 });
    expect(rows.length).toBeGreaterThan(20 * kills);
    expect(receiver.unsigned).toEqual([]);
    expect(receiver.outOfOrder).toEqual([]);
    const repeated = receiver.accepted.length - receiver.ids.size;
    console.log(
      `webhooks: ${rows.length} changes, ${repeated} arrived again, ${kills} kills of the database and of a projector`,
    );
  } finally {
    await Promise.all([...delivering, api].map((one) => one.stop()));
    await db.close();
    await receiver.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 900_000);
