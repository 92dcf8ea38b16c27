/**
 * A Unix socket takes less CPU time than TCP. Its buffers are smaller, so a query stops earlier if its client reads
 * slowly.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Largest number of bytes in the path of the directory. All systems accept 103 bytes for a socket, and PostgreSQL
 * appends `/.s.PGSQL.65535` to the directory.
 */
const longestDirectory = 103 - 16;

export const socketDirectory = (location: string): string | undefined =>
  process.platform === 'win32' || Buffer.byteLength(location) > longestDirectory || /["',]/.test(location)
    ? undefined
    : location;

/**
 * Returns the parameter of a connection string that names the socket. Programs that do not support this parameter
 * connect over TCP.
 */
export function socketParameter(location: string): string {
  const directory = socketDirectory(location);
  return directory === undefined ? '' : `?host=${encodeURIComponent(directory)}`;
}

/** Deletes the sockets of killed servers. No server must be running in this folder. */
export async function removeSockets(location: string): Promise<void> {
  for (const entry of await readdir(location, { withFileTypes: true })) {
    if (entry.name.startsWith('.s.PGSQL.') && !entry.isDirectory())
      await rm(join(location, entry.name), { force: true });
  }
}
