import type { Settings } from '#config';
import { Fault } from '#fault';

export function listenFault(error: unknown, settings: Readonly<Settings>): unknown {
  if (!(error instanceof Error)) return error;
  const { code, port: portMet } = error as NodeJS.ErrnoException & { port?: number };
  const { cleartext, tlsPort } = settings;
  const isTls = !cleartext || (portMet === tlsPort && portMet !== settings.port);
  const { host, port, flag, key } = isTls
    ? { host: settings.tlsHost, port: tlsPort, flag: '--tls-', key: 'NODELEDGER_TLS_' }
    : { host: settings.host, port: settings.port, flag: '--', key: 'NODELEDGER_' };
  const cause = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new Fault('conflict', 'server.port-in-use', `port ${port} of ${host} is in use by another program`, {
        hint: `Stop that program, or choose another port: ${flag}port 9090 or ${key}PORT=9090 (0 picks a free one).`,
        ...cause,
      });
    case 'EACCES':
      return new Fault('forbidden', 'server.port-refused', `this user may not open port ${port} of ${host}`, {
        hint: `Choose a port above 1023: ${flag}port ${isTls ? 8081 : 8080} or ${key}PORT=${isTls ? 8081 : 8080}.`,
        ...cause,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Fault('malformed', 'server.no-such-host', `${host} is not an address of this machine`, {
        hint: `Set ${key}HOST (or ${flag}host) to one, such as 127.0.0.1.`,
        ...cause,
      });
    default:
      return error;
  }
}
