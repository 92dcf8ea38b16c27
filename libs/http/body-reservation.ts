import { mostExpansion } from '#limits';
import { clientAddress } from './client-address';
import type { BodyBudget } from './body-budget';
import type { FastifyReply, FastifyRequest } from './fastify';
import { onRequestEnd } from './on-request-end';

/** What one request holds of the budget, until its answer is sent or its connection is gone. */
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

  /** For bytes that will be made of a compressed body. Faults: `http.crowded` (busy). */
  async reserve(bytes: number): Promise<void> {
    const release = await this.budget.reserve(this.address, bytes);
    // The client may have left meanwhile.
    if (this.isOver) return release();
    this.held += bytes;
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
 * Waits for room in memory for what a compressed body inflates to, `mostBytes` at most. To be called before it is
 * inflated as a whole. Faults: `http.crowded` (busy).
 */
export async function reserveForInflation(
  request: FastifyRequest,
  compressedBytes: number,
  mostBytes: number,
): Promise<void> {
  await reservations.get(request)?.reserve(Math.min(mostBytes, compressedBytes * mostExpansion));
}
