import { join } from 'node:path';
import { Fault } from '#fault';
import { stopIfAborted, type ReplayProgress } from '#projections';
import { hashFile, type WrittenFile } from './files';
import { filesOf, type BackupFile, type Manifest } from './manifest';

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
}

/** Throws `backup.damaged` if files have a wrong size or hash. The message lists all of these files. */
export async function checkBackup(dir: string, manifest: Manifest, options: CheckOptions): Promise<void> {
  const { signal, onProgress } = options;
  const files = filesOf(manifest);
  const problems: string[] = [];
  for (const [done, file] of files.entries()) {
    stopIfAborted(signal);
    onProgress?.({ step: 'check', done, total: files.length, unit: 'files' });
    const problem = await problemOf(dir, file, signal);
    if (problem !== undefined) problems.push(`${join(dir, file.file)}: ${problem}`);
  }
  onProgress?.({ step: 'check', done: files.length, total: files.length, unit: 'files' });
  if (problems.length === 0) return;
  throw new Fault('broken', 'backup.damaged', `the backup in ${dir} is damaged\n${problems.join('\n')}`, {
    hint: 'Use another copy of the backup. Where the service still runs, make a new backup into another directory.',
    details: problems,
  });
}

async function problemOf(dir: string, file: BackupFile, signal: AbortSignal): Promise<string | undefined> {
  let found: WrittenFile;
  try {
    found = await hashFile(join(dir, file.file), signal);
  } catch (error) {
    stopIfAborted(signal);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'the file is missing';
    return `the file cannot be read: ${(error as Error).message}`;
  }
  if (found.bytes !== file.bytes) return `the file has ${found.bytes} bytes, ${file.bytes} were written`;
  return found.sha256 === file.sha256 ? undefined : 'the file has other content than was written';
}
