import { createServer } from 'node:net';
import type { Settings } from '#config';
import type { Listener } from '#http';
import { listenFault } from './listen-fault';

/**
 * Opens and closes each port, so that an occupied port fails the start before anything is created. Throws
 * `server.port-in-use`, `server.port-refused` or `server.no-such-host`.
 */
export async function checkPorts(
  listeners: readonly Pick<Listener, 'host' | 'port'>[],
  settings: Readonly<Settings>,
): Promise<void> {
  for (const { host, port } of listeners) {
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host, port }, () => probe.close(() => resolve()));
    }).catch((error: unknown) => {
      throw listenFault(error, settings);
    });
  }
}
