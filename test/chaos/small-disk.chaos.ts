/**
 * A service with its defaults on a disk that is too small for them, for some weeks. It must accept every command, and its
 * status must say what it keeps for how long. Days are short (`short-days.cjs`), all clocks are true. `npm run test:month`
 * runs 50 nodes for a month on 1 GB, which takes two hours.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '#config';
import { Database } from '#database';
import { EmbeddedPostgres } from '../../libs/database/embedded/embedded-postgres';
import { openCommandLog } from '../../apps/server/open-log';
import { startService, type RunningService } from '../e2e/service';
import { SmallDisk } from '../support/small-disk';
import { tellSkipped } from '../support/tell-skipped';
import { SentRuns } from './sent-runs';

const { NODELEDGER_DISK_MB, NODELEDGER_DISK_NODES, NODELEDGER_DISK_DAYS, NODELEDGER_DISK_DAY_SECONDS } = process.env;
const sizeMb = Number(NODELEDGER_DISK_MB ?? 360);
const nodes = Number(NODELEDGER_DISK_NODES ?? 4);
const days = Number(NODELEDGER_DISK_DAYS ?? 30);
/** In the short form, more facts change, so that few nodes fill the disk. */
const moreFacts = NODELEDGER_DISK_NODES === undefined ? 20 : 0;
const dayMs = Number(NODELEDGER_DISK_DAY_SECONDS ?? 12) * 1_000;
const runsADay = 48;

let disk: SmallDisk | undefined;
beforeAll(async () => {
  disk = await SmallDisk.mount(sizeMb);
});
afterAll(() => disk?.remove());

interface Status {
  readonly active_alerts: readonly { readonly code: string; readonly message: string }[];
  readonly status: { readonly storage: Storage };
}

interface Storage {
  readonly log_bytes: number;
  readonly log_since: string;
  readonly table_bytes: number;
  readonly past_bytes: number;
  readonly wal_bytes: number;
  readonly disk: { readonly free_bytes: number };
}

async function statusOf({ url }: RunningService): Promise<Status> {
  const answer = await fetch(`${url}/status/v1/services/puppetdb-status`);
  return (await answer.json()) as Status;
}

const inMb = (bytes: number): number => Math.round(bytes / 1e6);

test(
  'a small disk is never full: what was given up is in the status',
  async () => {
    if (disk === undefined) {
      return tellSkipped(
        'a small file system cannot be mounted here (root on Linux can)',
        'NODELEDGER_REQUIRE_SMALL_DISK',
      );
    }
    const dataDir = join(disk.path, 'data');
    const service = await startService({
      dataDir: disk.path,
      env: {
        NODELEDGER_DATA_DIR: dataDir,
        NODELEDGER_LOG_LEVEL: 'info',
        NODE_OPTIONS: `--require ${join(__dirname, '../support/short-days.cjs')}`,
        TEST_DAY_MS: String(dayMs),
      },
    });
    const sent = new SentRuns('small disk', nodes, { moreFacts });
    const codes = new Set<string>();
    let leastFree = Infinity;
    try {
      const began = Date.now();
      for (let run = 0; Date.now() < began + days * dayMs; run++) {
        await sent.send(service.url);
        const { active_alerts: alerts, status } = await statusOf(service);
        const { storage } = status;
        for (const { code } of alerts) codes.add(code);
        leastFree = Math.min(leastFree, await disk.freeBytes());
        const day = (Date.now() - began) / dayMs;
        if (run % runsADay === 0) {
          const { log_bytes, table_bytes, past_bytes, wal_bytes } = storage;
          console.log(
            `day ${day.toFixed(1)}, run ${run}: log ${inMb(log_bytes)}, tables ${inMb(table_bytes)}, past ${inMb(past_bytes)}, ` +
              `write-ahead log ${inMb(wal_bytes)}, free ${inMb(storage.disk.free_bytes)} MB; ${alerts.map(({ message }) => message).join(' ')}`,
          );
        }
        await delay(Math.max(0, began + ((run + 1) * dayMs) / runsADay - Date.now()));
      }
      const { active_alerts: alerts, status } = await statusOf(service);
      const reach = (Date.now() - Date.parse(status.storage.log_since)) / dayMs;
      console.log(
        `${days} days, ${sent.count} commands: at least ${inMb(leastFree)} MB of ${sizeMb} were free; the log reaches back ` +
          `${reach.toFixed(1)} days; alerts: ${[...codes].join(', ')}`,
      );
      expect(sent.refused).toBe(0);
      expect(leastFree).toBeGreaterThan(0);
      expect([...codes]).toEqual(['storage.shortened']);
      expect(alerts).toEqual([
        expect.objectContaining({
          code: 'storage.shortened',
          message: expect.stringMatching(
            /too small for the configured ages. Reports are kept for .* instead of .* \(NODELEDGER_REPORT_TTL\), and queries can ask for the past for .* instead of .* \(NODELEDGER_HISTORY\)/,
          ) as string,
        }),
      ]);
      // 14 days of history, 7 days until the next snapshot, and the times that snapshots take.
      expect(reach).toBeLessThan(26);
      await expectWhole(dataDir, sent);
    } finally {
      await service.stop();
    }
  },
  days * dayMs + 300_000,
);

/** Reads what is left of the log, and compares it with what was sent. */
async function expectWhole(dataDir: string, sent: SentRuns): Promise<void> {
  const { connectionString } = (await EmbeddedPostgres.running(dataDir))!;
  const db = new Database({ connectionString, max: 2, applicationName: 'test' });
  const log = await openCommandLog(readSettings([], {}).settings, db);
  try {
    await log.open();
    expect((await sent.expectIn(log, new Set())).size).toBeGreaterThan(nodes * runsADay);
  } finally {
    await log.close();
    await db.close();
  }
}
