import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressShares, type Limits, limitTable } from '#limits';
import { rawAnswer } from './client-errors';
import { countedAddress } from './client-address';
import type { TrustedProxies } from './trusted-proxies';

/**
 * Counts the connections of all listeners. Closes a connection that exceeds the limit or the share of its client
 * address.
 */
export class OpenConnections {
  private readonly open = new AddressShares();

  constructor(
    private readonly limits: Limits,
    private readonly proxies: TrustedProxies,
  ) {}

  /**
   * Counts the connections of a server. `isClear` is true if the server uses HTTP without TLS. Only in this case does a
   * refused client get an answer.
   */
  watch(server: Server, isClear: boolean): void {
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = 'unknown' } = socket;
      // A proxy opens connections for many clients, so they do not count for the address of the proxy.
      const address = this.proxies.has(remoteAddress) ? undefined : countedAddress(remoteAddress);
      if (!this.open.fits(address, 1, this.limits.connections)) {
        this.refuse(socket, isClear);
        return;
      }
      this.open.add(address, 1);
      socket.once('close', () => this.open.add(address, -1));
    });
  }

  private refuse(socket: Socket, isClear: boolean): void {
    socket.on('error', () => undefined);
    if (!isClear) {
      socket.destroy();
      return;
    }
    const text =
      `Too many connections are open: at most ${this.limits.connections} (${limitTable.connections.setting.key}), ` +
      'half of them from one client address. Try again in a moment.';
    socket.end(rawAnswer({ status: 503, code: 'http.connections', text, headers: { 'retry-after': '5' } }));
    socket.destroySoon();
  }
}
