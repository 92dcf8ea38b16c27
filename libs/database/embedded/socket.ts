/**
 * The Unix socket of the embedded server. It needs less processor time than TCP, and its buffers are smaller, so a query
 * stops earlier if its client reads slowly.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Longest path of a socket that all systems accept, minus PostgreSQL's suffix `/.s.PGSQL.65535`. */
const longestDirectory = 103 - 16;

/** Returns the folder of the socket, or undefined if connections must use TCP. */
export const socketDirectory = (location: string): string | undefined =>
  process.platform === 'win32' || Buffer.byteLength(location) > longestDirectory || /["',]/.test(location)
    ? undefined
    : location;

/** Returns the parameter for a connection string. Programs that do not support it connect over TCP. */
export function socketParameter(location: string): string {
  const directory = socketDirectory(location);
  return directory === undefined ? '' : `?host=${encodeURIComponent(directory)}`;
}

/** Removes the sockets of killed servers. Call it only while no server runs there. */
export async function removeSockets(location: string): Promise<void> {
  for (const entry of await readdir(location, { withFileTypes: true })) {
    if (entry.name.startsWith('.s.PGSQL.') && !entry.isDirectory())
      await rm(join(location, entry.name), { force: true });
  }
}
