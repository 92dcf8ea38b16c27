import type { Settings } from '#config';
import { Fault } from '#fault';

/** Says why the port could not be opened, and what to do. Other errors stay as they are. */
export function listenFault(error: unknown, { host, port }: Readonly<Settings>): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const cause = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new Fault('conflict', 'server.port-in-use', `port ${port} of ${host} is in use by another program`, {
        hint: 'Stop that program, or choose another port: --port 9090 or NODELEDGER_PORT=9090 (0 picks a free one).',
        ...cause,
      });
    case 'EACCES':
      return new Fault('forbidden', 'server.port-refused', `this user may not open port ${port} of ${host}`, {
        hint: 'Choose a port above 1023: --port 8080 or NODELEDGER_PORT=8080.',
        ...cause,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Fault('malformed', 'server.no-such-host', `${host} is not an address of this machine`, {
        hint: 'Set NODELEDGER_HOST (or --host) to one, such as 127.0.0.1.',
        ...cause,
      });
    default:
      return error;
  }
}
