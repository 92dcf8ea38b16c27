import type { BodyBudget } from './body-budget';
import { clientAddress } from './client-address';
import type { FastifyReply, FastifyRequest } from './fastify';
import { onRequestEnd } from './on-request-end';

/** The memory that one request reserves for the bytes of its body, both as received and decompressed. */
export class BodyMemory {
  private held = 0;
  private isReleased = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly address: string,
  ) {}

  take(bytes: number): boolean {
    if (this.isReleased || !this.budget.take(this.address, bytes)) return false;
    this.held += bytes;
    return true;
  }

  release(): void {
    this.budget.release(this.address, this.held);
    this.held = 0;
    this.isReleased = true;
  }
}

const memories = new WeakMap<FastifyRequest, BodyMemory>();

/** The reservation ends when the answer is complete or the client has disconnected. */
export function openBodyMemory(budget: BodyBudget, request: FastifyRequest, reply: FastifyReply): BodyMemory {
  const memory = new BodyMemory(budget, clientAddress(request));
  memories.set(request, memory);
  onRequestEnd(request, reply, () => memory.release());
  return memory;
}

/** Returns the memory that the request has reserved. The body must have been read. */
export const bodyMemoryOf = (request: FastifyRequest): BodyMemory => memories.get(request)!;
