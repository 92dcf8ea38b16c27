/** One direction of a proxied connection: takes bytes, holds them if the mode says so, and forwards or drops them. */
import type { Socket } from 'node:net';

/** The treatment of bytes in both directions, or (swallow) of those from the upstream. */
export type ProxyMode =
  { kind: 'pass' } | { kind: 'swallow'; cutAfterMs?: number } | { kind: 'stall' } | { kind: 'delay'; ms: number };

/** Number of held bytes after which the sender has to wait, as in a stalled network. */
const mostHeld = 1_048_576;

interface Piece {
  /** undefined: the sender has ended its stream. */
  readonly bytes: Buffer | undefined;
  readonly came: number;
}

export class ProxyDirection {
  /** True if bytes were dropped. */
  lost = false;
  private readonly held: Piece[] = [];
  private heldBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private full = false;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly mode: () => ProxyMode,
    private readonly onFirstLoss?: () => void,
  ) {
    from.on('data', (bytes) => this.hold(bytes));
    from.on('end', () => this.hold(undefined));
    to.on('close', () => clearTimeout(this.timer));
    to.on('drain', () => {
      this.full = false;
      this.wake();
    });
  }

  /** Forwards the bytes that may pass now. Called after every change. */
  wake(): void {
    clearTimeout(this.timer);
    for (let piece = this.held[0]; piece !== undefined; piece = this.held[0]) {
      const mode = this.mode();
      if (mode.kind === 'stall' || this.full) break;
      const wait = mode.kind === 'delay' ? piece.came + mode.ms - Date.now() : 0;
      if (wait > 0) {
        this.timer = setTimeout(() => this.wake(), wait);
        return;
      }
      this.held.shift();
      this.heldBytes -= piece.bytes?.length ?? 0;
      if (mode.kind === 'swallow') this.lose();
      else this.give(piece.bytes);
    }
    if (this.heldBytes < mostHeld && this.from.isPaused()) this.from.resume();
  }

  private hold(bytes: Buffer | undefined): void {
    this.held.push({ bytes, came: Date.now() });
    this.heldBytes += bytes?.length ?? 0;
    if (this.heldBytes >= mostHeld) this.from.pause();
    this.wake();
  }

  private give(bytes: Buffer | undefined): void {
    if (this.to.destroyed) return;
    if (bytes === undefined) this.to.end();
    else this.full = !this.to.write(bytes);
  }

  private lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.onFirstLoss?.();
  }
}
