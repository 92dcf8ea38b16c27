import { mostExpansion } from '#limits';
import { clientAddress } from './client-address';
import type { BodyBudget } from './body-budget';
import type { FastifyReply, FastifyRequest } from './fastify';
import { onRequestEnd } from './on-request-end';

/** What one request holds of the budget, until its answer is sent or its connection is gone and nothing is inflated for it. */
export class BodyReservation {
  private held = 0;
  private isOver = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly address: string,
  ) {}

  /** For bytes that have arrived. False: there is no room. */
  take(bytes: number): boolean {
    if (this.isOver || !this.budget.take(this.address, bytes)) return false;
    this.held += bytes;
    return true;
  }

  /**
   * Waits for room for the bytes that `inflate` makes of a compressed body. If the client leaves before `inflate` has ended, they
   * are released at its end. Faults: `http.crowded` (busy), those of `inflate`.
   */
  async inflated<T>(bytes: number, inflate: () => Promise<T>): Promise<T> {
    const release = await this.budget.reserve(this.address, bytes);
    try {
      if (this.isOver) throw new Error('the client closed the connection');
      return await inflate();
    } finally {
      if (this.isOver) release();
      else this.held += bytes;
    }
  }

  giveBack(): void {
    if (this.held > 0) this.budget.release(this.address, this.held);
    this.held = 0;
    this.isOver = true;
  }
}

const reservations = new WeakMap<FastifyRequest, BodyReservation>();

/** Releases what a request has reserved when its answer is over. */
export function openReservation(budget: BodyBudget, request: FastifyRequest, reply: FastifyReply): BodyReservation {
  const reservation = new BodyReservation(budget, clientAddress(request));
  reservations.set(request, reservation);
  onRequestEnd(request, reply, () => reservation.giveBack());
  return reservation;
}

/**
 * Inflates a compressed body, to `mostBytes` at most, when there is room in memory for the result. Faults: `http.crowded` (busy),
 * those of `inflate`.
 */
export async function inflateReserved<T>(
  request: FastifyRequest,
  { compressedBytes, mostBytes }: { readonly compressedBytes: number; readonly mostBytes: number },
  inflate: () => Promise<T>,
): Promise<T> {
  const bytes = Math.min(mostBytes, compressedBytes * mostExpansion);
  const reservation = reservations.get(request);
  return reservation === undefined ? inflate() : reservation.inflated(bytes, inflate);
}
