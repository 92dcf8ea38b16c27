import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { Allowance, limitTable, type Limits } from '#limits';
import { countedAddress } from './client-address';
import type { RefusedConnection } from './secure-connections';

/**
 * After a pause, an address may begin as many handshakes at once as the limit usually allows in this many seconds. A
 * client often opens several connections when it starts.
 */
const secondsAtOnce = 2;
/** No handshake waits longer than this, because clients give up after some seconds. */
const longestWaitMs = 10_000;
const leastAddresses = 1_000;

/**
 * Limits how many TLS handshakes each client address begins per second, because each handshake occupies the main thread
 * for milliseconds, and any client can begin one. Handshakes over the limit wait.
 */
export class HandshakePace {
  private readonly byAddress = new Map<string, Allowance>();
  private forgetAt = leastAddresses;

  constructor(private readonly perSecond: number) {}

  /**
   * Returns the milliseconds that the next handshake of the address must wait, or undefined if the wait would be too
   * long.
   */
  delay(address: string, now: number): number | undefined {
    let allowance = this.byAddress.get(address);
    if (allowance === undefined) {
      if (this.byAddress.size >= this.forgetAt) this.forget(now);
      allowance = new Allowance(this.perSecond, this.perSecond * secondsAtOnce);
      this.byAddress.set(address, allowance);
    }
    const waitMs = allowance.waitMs(now);
    if (waitMs > longestWaitMs) return undefined;
    allowance.take(now);
    return waitMs;
  }

  get size(): number {
    return this.byAddress.size;
  }

  private forget(now: number): void {
    for (const [address, allowance] of this.byAddress) if (allowance.isWhole(now)) this.byAddress.delete(address);
    this.forgetAt = Math.max(leastAddresses, 2 * this.byAddress.size);
  }
}

export function paceHandshakes(server: Server, pace: HandshakePace, limits: Limits, refused: RefusedConnection): void {
  const begin = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const beginNow = (): void => begin.forEach((one) => one.call(server, socket));
    const waitMs = pace.delay(countedAddress(remoteAddress ?? 'unknown'), performance.now());
    if (waitMs === 0) return beginNow();
    socket.on('error', () => undefined);
    if (waitMs === undefined) {
      refused(
        `its address begins more than ${limits.handshakes} TLS handshakes a second (${limitTable.handshakes.setting.key})`,
        remoteAddress,
      );
      socket.destroy();
      return;
    }
    const timer = setTimeout(beginNow, waitMs);
    socket.once('close', () => clearTimeout(timer));
  });
}
