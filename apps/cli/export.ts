import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  anonymizer,
  anonymizationProfiles,
  type AnonymizationProfile,
  archiveRoots,
  exportArchive,
  type ExportOptions,
} from '#archive';
import { Fault, isFault } from '#fault';
import { projectionVersion } from '#projections';
import { describeRemoved, type Moment, noHistory, readMoment, resolveMoment } from '#query';
import { amount, formatDuration } from './amounts';
import { readPositions } from './maintenance/positions';
import { runMaintenance, withSettings } from './maintenance/run-maintenance';
import { print } from './print';

interface ExportFlags {
  readonly at?: ReadonlyMap<number, number> | Moment;
  readonly anonymize: AnonymizationProfile;
  readonly seed?: string;
  readonly json?: true;
}

export function exportCommand(): Command {
  return withSettings(
    new Command('export').argument('<file>', 'the archive to write, tar.gz; - for the standard output', readFileName),
  )
    .option(
      '--at <moment>',
      'export the state of a moment, such as "2 days ago" or 2026-01-31T12:00:00Z, or at positions of the log (partition-offset, separated by commas)',
      readAt,
    )
    .addOption(
      new Option('--anonymize <profile>', 'replace names and values with pseudonyms')
        .choices(anonymizationProfiles)
        .default('none'),
    )
    .option('--seed <text>', 'secret for the pseudonyms: archives with the same seed have the same pseudonyms')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (file: string, settings: string[], flags: ExportFlags) => {
      const startedAt = performance.now();
      const afterStop = 'No archive was written.';
      const outcome = await runMaintenance(
        settings,
        { afterStop, audited: 'export' },
        async ({ settings: set, context }) => {
          let documents = 0;
          const onProgress: typeof context.onProgress = (progress) => {
            if (progress.unit === 'documents') documents = progress.total;
            context.onProgress?.(progress);
          };
          const options = { root: archiveRoots[set.dialect], anonymizer: anonymizer(flags.anonymize, flags.seed) };
          const archive: Archive = (past) => exportArchive({ ...context, onProgress }, { ...options, ...past });
          const chunks = archiveAt(flags.at, archive, context.onNotice);
          const bytes = file === '-' ? await writeToOutput(chunks) : await writeFile(resolve(file), chunks);
          return { documents, bytes };
        },
      );
      if (outcome === undefined) return;
      const seconds = (performance.now() - startedAt) / 1000;
      const summary = `${amount(outcome.documents, 'document')}, ${amount(outcome.bytes, 'byte')}, in ${formatDuration(seconds)}\n`;
      // The archive goes to standard output, so the summary goes to standard error.
      if (file === '-') process.stderr.write(summary);
      else print({ file: resolve(file), ...outcome, seconds }, flags, () => summary);
    });
}

function readFileName(text: string): string {
  if (text !== '-' && text.startsWith('-')) throw new InvalidArgumentError('expected the file before the settings');
  return text;
}

function readAt(text: string): ExportFlags['at'] & {} {
  if (/^\d{1,9}-\d{1,15}(,|$)/.test(text)) return readPositions(text);
  try {
    return readMoment(text);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new InvalidArgumentError(`${error.message} ${error.hint ?? ''} Or give positions such as 0-120,3-44.`);
  }
}

type Archive = (past: Pick<ExportOptions, 'at' | 'asOf'>) => AsyncIterable<Buffer>;

/** Uses the live tables if their history goes back to the time `at`. Otherwise replays the log. */
async function* archiveAt(
  at: ExportFlags['at'],
  archive: Archive,
  say: (text: string) => void = () => undefined,
): AsyncGenerator<Buffer> {
  if (at === undefined) return yield* archive({});
  if (!('kind' in at)) return yield* archive({ at: { offsets: at } });
  const asOf: ExportOptions['asOf'] = async (session, live) => {
    if (live.projectionVersion !== projectionVersion) throw noHistory();
    const { offsets, removed } = await resolveMoment(
      at,
      live,
      async (statement) => (await session.query<{ row: string }>(statement))[0]?.row,
    );
    if (removed.length > 0) say(`age limits have since removed ${describeRemoved(removed)}`);
    return offsets;
  };
  try {
    yield* archive({ asOf });
  } catch (error) {
    const isBefore = isFault(error) && ['query.as-of-early', 'query.no-history'].includes(error.code);
    if (!isBefore || at.kind === 'positions') throw error;
    const time = at.kind === 'time' ? Date.parse(at.time) : Date.now() + at.seconds * 1000;
    // Adds a millisecond, because the archive must include the commands that the service received in the millisecond
    // `time`.
    yield* archive({ at: { time: time + 1 } });
  }
}

/**
 * Writes a temporary file and renames it at the end, so that `file` is never incomplete. Returns the number of bytes.
 */
async function writeFile(file: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  await removeLeftovers(file);
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}${suffix}`);
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    let bytes = 0;
    try {
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        bytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Fault('broken', 'cli.file', `the archive cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const suffix = '.unfinished';

/** Deletes the temporary files of exports that were killed. */
async function removeLeftovers(file: string): Promise<void> {
  const begin = `.${basename(file)}.`;
  for (const name of await readdir(dirname(file)).catch(() => [])) {
    const process = name.startsWith(begin) && name.endsWith(suffix) ? name.slice(begin.length, -suffix.length) : '';
    if (/^\d+$/.test(process) && !isRunning(Number(process))) await rm(join(dirname(file), name), { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function writeToOutput(chunks: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await new Promise<void>((done, failed) => process.stdout.write(chunk, (error) => (error ? failed(error) : done())));
  }
  return bytes;
}
