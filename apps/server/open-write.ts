import { join, resolve } from 'node:path';
import type { AdminOptions, CleanWatch, ClockGuard } from '#admin';
import type { ImportOptions } from '#archive';
import { Completions, type CommandsOptions, type CommandWatch, type IntakeLimits } from '#commands';
import { blocklist, type Settings } from '#config';
import { Generations } from '#database';
import { type Alerts, type Log, safeMessage } from '#observe';
import { DiscardedFiles } from '#projections';
import type { Filled } from './open-filled';
import type { Outages } from './outages';
import type { StorageWatch } from './storage/storage-watch';
import type { Undo } from './undo';

interface WriteOptions {
  readonly limits: IntakeLimits;
  readonly clocks: ClockGuard;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
  readonly storage: Pick<StorageWatch, 'refusal'>;
  readonly log: Log;
  readonly watch: CommandWatch;
  readonly cleanings: CleanWatch;
  readonly undo: Undo;
}

/** The parts that commands and maintenance need. */
export async function openWrite(
  settings: Readonly<Settings>,
  { db, log: commandLog }: Filled,
  { limits, clocks, alerts, outages, storage, log, watch, cleanings, undo }: WriteOptions,
): Promise<{ commands: CommandsOptions; admin: AdminOptions; imports: ImportOptions }> {
  const folder = join(resolve(settings.dataDir), 'discarded');
  const discarded = new DiscardedFiles({
    db,
    folder,
    onFailure: (error) => {
      if (outages.report(error) !== undefined) return;
      alerts.raise('dead-letters.files', {
        severity: 'warning',
        message: `The files of rejected commands in ${folder} cannot be written: ${safeMessage(error)}`,
        effect: 'Rejected commands are kept in the database, where HTTP and `nodeledger dead-letters` show them.',
        hint: 'Let the service write there, or free disk space. It is tried again every minute.',
      });
    },
    onSuccess: () => alerts.clear('dead-letters.files'),
  });
  undo.add('the files of rejected commands', () => discarded.close());
  await discarded.open();
  const completions = new Completions(db);
  await completions.open();
  return {
    commands: {
      // Maintenance appends to the log itself: deletions and cleanings free space.
      log: {
        append: (record) => {
          const refusal = storage.refusal();
          return refusal === undefined ? commandLog.append(record) : Promise.reject(refusal);
        },
      },
      completions,
      limits,
      watch,
      checksums: {
        policy: settings.checksum,
        onMismatch: (count) =>
          log.warn(
            { count },
            'Commands were sent with a checksum that does not match their payload. They were accepted; NODELEDGER_CHECKSUM=refuse answers 400 instead',
          ),
      },
    },
    admin: {
      database: db,
      generations: new Generations(db),
      log: commandLog,
      completions,
      limits: settings,
      clocks,
      watch: cleanings,
      reportedVersion: settings.reportedVersion,
    },
    imports: { database: db, limits: settings.limits, dropFact: blocklist(settings.factsBlocklist ?? []) },
  };
}
