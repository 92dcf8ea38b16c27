import { resolve } from 'node:path';
import { Command } from 'commander';
import { AuditLog } from '#access';
import { checkedBackup, type Manifest, restore, type RestoreOutcome } from '#backup';
import { readSettings } from '#config';
import { Database } from '#database';
import { isFault } from '#fault';
import { formatRate } from './amounts';
import { byUser } from './by-user';
import { Interruption } from './maintenance/interruption';
import { ProgressDisplay } from './maintenance/progress-display';
import { replayOptions, withSettings } from './maintenance/run-maintenance';
import { openServer } from './open-store';
import { onOneLine } from './on-one-line';
import { print } from './print';
import { openCommandLog } from '../server/open-log';

interface RestoreFlags {
  readonly json?: true;
}

/** Settings of which the tables depend, with the same log. */
const tableSettings = ['NODELEDGER_FACTS_BLOCKLIST', 'NODELEDGER_MAX_COMMAND_SIZE', 'NODELEDGER_REJECT_LARGE_COMMANDS'];

/** `nodeledger restore DIR`: a backup into a place where nothing is yet. */
export function restoreCommand(): Command {
  return withSettings(new Command('restore').argument('<dir>', 'directory of the backup'))
    .description('write a backup into an empty database, and a new topic where the log is to be on Kafka')
    .option('--json', 'print JSON, also on a terminal')
    .action(async (dir: string, settings: string[], flags: RestoreFlags) => {
      const display = new ProgressDisplay();
      const interruption = new Interruption(display.say);
      try {
        const outcome = await run(resolve(dir), settings, display, interruption.signal);
        display.end();
        const { manifest, ...counts } = outcome;
        print({ ...counts, log: manifest.log.id, positions: manifest.log.partitions }, flags, () =>
          restoreLines(outcome),
        );
      } catch (error) {
        display.end();
        if (!interruption.asked || !isStop(error)) throw error;
        display.say('stopped. What was written is no service yet. Run the same command again: it begins anew.');
        process.exitCode = 130;
      } finally {
        interruption.end();
      }
    });
}

async function run(
  dir: string,
  flags: readonly string[],
  { say, show }: ProgressDisplay,
  signal: AbortSignal,
): Promise<RestoreOutcome> {
  const { settings, origins } = readSettings(flags);
  const manifest = await checkedBackup(dir, { signal, onProgress: show });
  tellOtherSettings(
    manifest,
    new Map(origins.map(({ entry, shown, from }) => [entry.key, from === 'default' ? undefined : shown])),
    say,
  );
  const server = await openServer(settings, say, 'make');
  const { connectionString } = server;
  const db = new Database({
    connectionString,
    max: 8,
    applicationName: 'nodeledger maintenance',
    statementTimeoutMs: 0,
  });
  try {
    const log = await openCommandLog(settings, db, { onNotice: say });
    try {
      const replay = { ...replayOptions(settings), signal, onProgress: show, onNotice: say };
      const outcome = await restore(dir, manifest, { db, connectionString, log, replay });
      await new AuditLog(db).record(byUser('restore', dir), async () => undefined);
      return outcome;
    } finally {
      await log.close();
    }
  } finally {
    await db.close();
    await server.close();
  }
}

function tellOtherSettings(
  { settings }: Manifest,
  here: ReadonlyMap<string, string | undefined>,
  say: (text: string) => void,
): void {
  for (const key of tableSettings) {
    const [then, now] = [settings[key], here.get(key)];
    if (then === now) continue;
    say(
      `${key} is ${now ?? 'not set'} here and was ${then ?? 'not set'} at the backup: the tables may differ from those of then`,
    );
  }
}

const isStop = (error: unknown): boolean =>
  (isFault(error) && error.code === 'maintenance.stopped') || (error instanceof Error && error.name === 'AbortError');

/** The summary for people: what to do next. */
export function restoreLines({ manifest, records, seconds }: RestoreOutcome): string {
  const set = Object.entries(manifest.settings).map(([key, value]) => `  ${onOneLine(`${key}=${value}`)}\n`);
  const settings =
    set.length === 0 ? '' : `At the backup these settings were set; the restore has not set them:\n${set.join('')}`;
  return `${formatRate(records, seconds)} restored, as of ${onOneLine(manifest.begun)}; the service can be started\n${settings}`;
}
