import { resolve } from 'node:path';
import { Command } from 'commander';
import { AuditLog } from '#access';
import { checkedBackup, type Manifest, recordsOf, restore, type RestoreOutcome } from '#backup';
import { readSettings } from '#config';
import { Database } from '#database';
import { limitEntry, limitNames } from '#limits';
import { amount, formatRate } from './amounts';
import { byUser } from './by-user';
import { stoppable } from './maintenance/interruption';
import type { ProgressDisplay } from './maintenance/progress-display';
import { withSettings } from './maintenance/run-maintenance';
import { openServer } from './open-store';
import { onOneLine } from './on-one-line';
import { print } from './print';
import { tuneGarbageCollection } from '../server/garbage-collection';
import { logLocation } from '../server/log-location';
import { openCommandLog } from '../server/open-log';
import { replaySettings } from '../server/own-replay';
import { projectorTask } from '../server/projector-task';
import { ThreadedReplays } from '../server/threaded-replays';

interface RestoreFlags {
  readonly json?: true;
}

/**
 * Settings that decide which data from the log the read tables contain. If they differ from the settings in the backup,
 * a restore prints a warning.
 */
const tableSettings = [
  'NODELEDGER_FACTS_BLOCKLIST',
  'NODELEDGER_MAX_COMMAND_SIZE',
  ...limitNames
    .map(limitEntry)
    .flatMap(({ bounds, setting }) => (bounds === 'payload' && setting ? [setting.key] : [])),
];

export function restoreCommand(): Command {
  return withSettings(new Command('restore').argument('<dir>', 'directory of the backup'))
    .option('--json', 'print JSON, even on a terminal')
    .action(async (dir: string, settings: string[], flags: RestoreFlags) => {
      const outcome = await stoppable(
        'No service can start on what was written. Run the same command again: it starts from the beginning.',
        ({ display, interruption }) => run(resolve(dir), settings, display, interruption.signal),
      );
      if (outcome === undefined) return;
      const { manifest, ...counts } = outcome;
      print({ ...counts, log: manifest.log.id, positions: manifest.log.partitions }, flags, () =>
        restoreLines(outcome),
      );
    });
}

async function run(
  dir: string,
  flags: readonly string[],
  { say, show }: ProgressDisplay,
  signal: AbortSignal,
): Promise<RestoreOutcome> {
  const { settings, origins } = readSettings(flags);
  tuneGarbageCollection();
  const manifest = await checkedBackup(dir, { signal, onProgress: show });
  reportOtherSettings(
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
      const location = await logLocation(settings);
      const identity = { logId: manifest.log.id, partitions: manifest.log.partitions.length };
      const task = projectorTask(settings, connectionString, location, identity);
      const threads = new ThreadedReplays(task, settings.projectorThreads);
      say(`restoring ${amount(recordsOf(manifest), 'record')} with ${amount(threads.count, 'thread')}`);
      const replay = { ...replaySettings(task), threads, signal, onProgress: show, onNotice: say };
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

function reportOtherSettings(
  { settings }: Manifest,
  here: ReadonlyMap<string, string | undefined>,
  say: (text: string) => void,
): void {
  for (const key of tableSettings) {
    const [then, now] = [settings[key], here.get(key)];
    if (then === now) continue;
    say(
      `${key} is ${now ?? 'not set'} here and was ${then ?? 'not set'} at the backup: the tables may differ from those of the backup`,
    );
  }
}

export function restoreLines({ manifest, records, seconds }: RestoreOutcome): string {
  const set = Object.entries(manifest.settings).map(([key, value]) => `  ${onOneLine(`${key}=${value}`)}\n`);
  const settings =
    set.length === 0 ? '' : `The backed-up service used these settings. Set them again:\n${set.join('')}`;
  return `Restored ${formatRate(records, seconds)}, as of ${onOneLine(manifest.begun)}. You can start the service.\n${settings}`;
}
