import type { AdminOptions, CleaningObserver, ClockGuard } from '#admin';
import type { ImportOptions } from '#archive';
import { Completions, type CommandsOptions, type CommandObserver, type IntakeLimits } from '#commands';
import { blocklist, type Settings } from '#config';
import { Generations } from '#database';
import type { Log } from '#observe';
import type { Filled } from './open-filled';
import type { StorageMonitor } from './storage/storage-monitor';

interface WriteOptions {
  readonly limits: IntakeLimits;
  readonly clocks: ClockGuard;
  readonly storage: Pick<StorageMonitor, 'refusal'>;
  readonly log: Log;
  readonly watch: CommandObserver;
  readonly cleanings: CleaningObserver;
  readonly ages: AdminOptions['limits'];
}

export async function openWrite(
  settings: Readonly<Settings>,
  { db, log: commandLog }: Filled,
  { limits, clocks, storage, log, watch, cleanings, ages }: WriteOptions,
): Promise<{ commands: CommandsOptions; admin: AdminOptions; imports: ImportOptions }> {
  const completions = new Completions(db);
  await completions.open();
  return {
    commands: {
      // Commands from clients are refused while the disk is almost full. Maintenance appends to `commandLog` directly,
      // because deletions and cleanings free space.
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
      limits: ages,
      clocks,
      watch: cleanings,
      reportedVersion: settings.reportedVersion,
    },
    imports: { database: db, limits: settings.limits, dropFact: blocklist(settings.factsBlocklist ?? []) },
  };
}
