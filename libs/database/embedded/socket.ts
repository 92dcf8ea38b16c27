/**
 * The Unix socket of the embedded server. It costs less processor time than TCP, and the operating system holds less of
 * an answer that the service has not read yet, so that a query whose client reads slowly stops working early.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The longest path that a socket can have on every system, less what PostgreSQL adds: `/.s.PGSQL.65535`. */
const longestDirectory = 103 - 16;

/** The folder of the socket; undefined where there can be none and connections use TCP. */
export const socketDirectory = (location: string): string | undefined =>
  process.platform === 'win32' || Buffer.byteLength(location) > longestDirectory || /["',]/.test(location)
    ? undefined
    : location;

/** To be added to a connection string. Programs that do not know it use TCP. */
export function socketParameter(location: string): string {
  const directory = socketDirectory(location);
  return directory === undefined ? '' : `?host=${encodeURIComponent(directory)}`;
}

/** Removes what killed servers left. Only while no server runs there. */
export async function removeSockets(location: string): Promise<void> {
  for (const entry of await readdir(location, { withFileTypes: true })) {
    if (entry.name.startsWith('.s.PGSQL.') && !entry.isDirectory())
      await rm(join(location, entry.name), { force: true });
  }
}
