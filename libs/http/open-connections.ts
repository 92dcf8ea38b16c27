import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Limits, limitTable } from '#limits';
import { rawAnswer } from './client-errors';
import { countedAddress } from './client-address';

/**
 * Counts the connections of all listeners, and refuses one that is too many: over the limit, or over half of it from one
 * client address. It is told so and closed at once: who opens thousands of connections is not waited for.
 */
export class OpenConnections {
  private all = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  /** `isClear`: what is written now arrives as it is, because no TLS begins here. */
  watch(server: Server, isClear: boolean): void {
    server.on('connection', (socket: Socket) => {
      const address = countedAddress(socket.remoteAddress ?? 'unknown');
      const own = (this.byAddress.get(address) ?? 0) + 1;
      const most = this.limits.connections;
      if (this.all >= most || own > Math.ceil(most / 2)) {
        this.refuse(socket, isClear);
        return;
      }
      this.all++;
      this.byAddress.set(address, own);
      socket.once('close', () => this.closed(address));
    });
  }

  private closed(address: string): void {
    this.all--;
    const own = (this.byAddress.get(address) ?? 0) - 1;
    if (own > 0) this.byAddress.set(address, own);
    else this.byAddress.delete(address);
  }

  private refuse(socket: Socket, isClear: boolean): void {
    socket.on('error', () => undefined);
    if (!isClear) {
      socket.destroy();
      return;
    }
    const text =
      `Too many connections are open: at most ${this.limits.connections} (${limitTable.connections.key}), ` +
      'half of them from one client address. Try again in a moment.';
    socket.end(rawAnswer(503, text, { 'retry-after': '5' }));
    socket.destroySoon();
  }
}
