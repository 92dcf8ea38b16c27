import { access, constants, mkdir, stat } from 'node:fs/promises';
import { Fault } from '#fault';

const writableByOthers = 0o022;

/**
 * Throws `operation.work-directory` if the service cannot use the directory, or if other users can change its files.
 */
export async function prepareWorkDirectory(directory: string): Promise<void> {
  let found;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.W_OK | constants.X_OK);
    found = await stat(directory);
  } catch (error) {
    throw refused(`The service cannot use the directory for backups: ${(error as Error).message}`);
  }
  const user = process.getuid?.();
  // Windows has no user ids and modes, so nothing more is checked there.
  if (user === undefined) return;
  if (found.uid !== user && found.uid !== 0)
    throw refused(`Another user (${found.uid}) owns ${directory}, and can change the backups.`);
  if ((found.mode & writableByOthers) !== 0)
    throw refused(`Other users can write to ${directory}, and can change the backups.`);
}

const refused = (message: string): Fault =>
  new Fault('conflict', 'operation.work-directory', message, {
    hint: 'Set NODELEDGER_BACKUP_DIR to a directory that only the user of the service can change. In a mounted volume, name a folder that does not exist yet.',
  });
