import { join, resolve } from 'node:path';
import type { AdminOptions } from '#admin';
import { Completions, type CommandsOptions, type IntakeLimits } from '#commands';
import type { Settings } from '#config';
import { Generations } from '#database';
import type { Log } from '#observe';
import { DiscardedFiles } from '#projections';
import { ageLimits } from './age-limits';
import type { Filled } from './open-filled';
import type { Undo } from './undo';

/** What takes commands and does maintenance stands on. */
export async function openWrite(
  settings: Readonly<Settings>,
  { db, log: commandLog }: Filled,
  limits: IntakeLimits,
  log: Log,
  undo: Undo,
): Promise<{ commands: CommandsOptions; admin: AdminOptions }> {
  const discarded = new DiscardedFiles({
    db,
    folder: join(resolve(settings.dataDir), 'discarded'),
    onFailure: (err) => log.error({ err }, 'files of rejected commands could not be written'),
  });
  undo.add('the files of rejected commands', () => discarded.close());
  await discarded.open();
  const completions = new Completions(db);
  await completions.open();
  return {
    commands: {
      log: commandLog,
      completions,
      limits,
      checksums: {
        policy: settings.checksum,
        onMismatch: (count) =>
          log.warn(
            { count },
            'Commands came with a checksum that does not match their payload. They were accepted; NODELEDGER_CHECKSUM=refuse answers 400 instead',
          ),
      },
    },
    admin: {
      database: db,
      generations: new Generations(db),
      log: commandLog,
      completions,
      limits: ageLimits(settings),
    },
  };
}
