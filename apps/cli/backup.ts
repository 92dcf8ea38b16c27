import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp, type BackupOutcome, checkBackup, filesOf, type Manifest, readManifest } from '#backup';
import { ownVersion, readSettings, showByteSize } from '#config';
import { amount, formatDuration } from './amounts';
import { stoppable } from './maintenance/interruption';
import { runMaintenance, withSettings } from './maintenance/run-maintenance';
import { print } from './print';

interface BackupFlags {
  readonly check?: true;
  readonly json?: true;
}

export function backupCommand(): Command {
  return withSettings(
    new Command('backup').argument(
      '<dir>',
      'directory of the backup; an earlier backup of the same log in this directory is updated',
    ),
  )
    .option('--check', 'do not back up: read every file of the backup and compare its hash')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (dir: string, settings: string[], flags: BackupFlags) => {
      if (flags.check) await check(resolve(dir), flags);
      else await make(resolve(dir), settings, flags);
    });
}

async function make(dir: string, flags: readonly string[], options: BackupFlags): Promise<void> {
  const outcome = await runMaintenance(
    flags,
    { afterStop: `An earlier backup in ${dir} is unchanged. Run the same command again.`, audited: 'backup' },
    ({ context, logName }) =>
      backUp(context, { dir, release: ownVersion(), kept: logName, settings: settingsThatWereSet(flags) }),
  );
  if (outcome === undefined) return;
  const { manifest, ...counts } = outcome;
  print({ dir, ...counts, log: manifest.log.id, positions: manifest.log.partitions }, options, () =>
    backupLines(dir, outcome),
  );
}

/** Hides passwords in the values. */
function settingsThatWereSet(flags: readonly string[]): Record<string, string> {
  const set = readSettings(flags).origins.filter(({ from }) => from !== 'default');
  return Object.fromEntries(set.map(({ entry, shown }) => [entry.key, shown]));
}

export function backupLines(dir: string, outcome: BackupOutcome): string {
  const { records, written, bytes, bytesWritten, seconds } = outcome;
  return (
    `${dir} holds ${amount(records, 'record')} of the log (${showByteSize(bytes)}); ` +
    `${amount(written, 'record')} (${showByteSize(bytesWritten)}) written in ${formatDuration(seconds)}\n`
  );
}

async function check(dir: string, flags: BackupFlags): Promise<void> {
  const manifest = await stoppable('Nothing was changed.', async ({ interruption: { signal }, display: { show } }) => {
    const found = await readManifest(dir);
    await checkBackup(dir, found, { signal, onProgress: show });
    return found;
  });
  if (manifest !== undefined) print(checkedJson(dir, manifest), flags, () => checkedLines(dir, manifest));
}

const checkedJson = (dir: string, manifest: Manifest): object => ({
  dir,
  whole: true,
  files: filesOf(manifest).length,
  ended: manifest.ended,
  release: manifest.release,
  log: manifest.log.id,
});

export const checkedLines = (dir: string, manifest: Manifest): string =>
  `${amount(filesOf(manifest).length, 'file')} of ${dir} read: the backup of ${manifest.ended} is intact\n`;
