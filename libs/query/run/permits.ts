import { Fault } from '#fault';
import {
  Admission,
  type AdmissionLimits,
  type LossReason,
  type Reader,
  type RefusalReason,
  type Ticket,
} from './admission';
import { clientLeft } from './database-error';
import { Slots } from './slots';

export interface QueryClient {
  /** Requests with equal addresses count as one client. */
  readonly address: string;
  readonly gone: AbortSignal;
  readonly reader: Reader;
  readonly waitMs: number;
}

export interface Permit {
  /** Aborts when the query must end because it delays other queries. The reason is a Fault. */
  readonly lost: AbortSignal;
  /**
   * Waits for the slot of the query, then runs `work`, which uses PostgreSQL. Only one call can be in progress. After
   * `leave`, the promise never settles.
   */
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
  /** Must be called after the query has released its connection and its memory. */
  leave(): void;
}

interface PermitCounts {
  /** Largest number of queries at once, which equals the number of connections of the read pool. */
  readonly total: number;
  readonly perAddress: number;
  /** Largest number of queries that PostgreSQL runs at once, not counting queries from addresses with short queries. */
  readonly active: number;
}

interface PermitUse {
  readonly running: number;
  readonly waiting: number;
  readonly total: number;
}

/**
 * Limits the queue, because each waiting request holds its body in memory, and a longer queue would answer no request
 * sooner.
 */
const queuePerPermit = 10;
/** Most clients give up or retry after some seconds, so a later permit would be useless. */
const longestWaitMs = 10_000;
const tickMs = 250;
const retryAfterSeconds = 5;

const reservedOf = (total: number): number => Math.floor(total / 2);

const admissionLimits = ({ total, perAddress }: PermitCounts): AdmissionLimits => ({
  permits: total,
  permitsPerAddress: perAddress,
  reserved: reservedOf(total),
  queue: total * queuePerPermit,
});

export class Permits {
  private readonly admission: Admission;
  private readonly slots: Slots<Ticket>;
  private readonly refusals = new Set<(fault: Fault) => void>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly counts: PermitCounts) {
    const clock = (): number => performance.now();
    this.admission = new Admission(admissionLimits(counts), clock);
    this.slots = new Slots(counts.active, () => this.admission.priorities(), clock);
  }

  /** Waits for a permit. Throws `query.crowded` (503), `query.stopping` (503) or `query.gone`. */
  async take({ address, gone, reader, waitMs }: QueryClient): Promise<Permit> {
    if (this.closed) throw stopping();
    if (gone.aborted) throw clientLeft(gone.reason);
    this.timer ??= setInterval(() => this.tick(), tickMs).unref();
    const lost = new AbortController();
    return new Promise<Permit>((resolve, reject) => {
      const settled = (): void => {
        gone.removeEventListener('abort', left);
        this.refusals.delete(refuse);
      };
      const refuse = (fault: Fault): void => {
        settled();
        reject(fault);
      };
      const left = (): void => {
        this.admission.leave(ticket);
        refuse(clientLeft(gone.reason));
      };
      gone.addEventListener('abort', left, { once: true });
      this.refusals.add(refuse);
      const ticket = this.admission.ask({
        address,
        reader,
        waitMs: Math.min(waitMs, longestWaitMs),
        admitted: () => {
          settled();
          // `ticket` is not assigned yet if `ask` calls `admitted` at once.
          resolve(this.permitOf(() => ticket, lost.signal));
        },
        refused: (reason) => refuse(this.crowded(reason)),
        lost: (reason) => lost.abort(lostPermit(reason, this.counts)),
      });
    });
  }

  get use(): PermitUse {
    const { running, waiting } = this.admission;
    return { running, waiting, total: this.counts.total };
  }

  /** Refuses all waiting requests, because the service stops. Running queries continue. */
  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    for (const refuse of [...this.refusals]) refuse(stopping());
  }

  private permitOf(ticketOf: () => Ticket, lost: AbortSignal): Permit {
    return {
      lost,
      inSlot: async (work) => {
        const ticket = ticketOf();
        this.admission.pause(ticket);
        await new Promise<void>((granted) => this.slots.ask(ticket, granted));
        this.admission.resume(ticket);
        try {
          return await work();
        } finally {
          this.slots.end(ticket);
        }
      },
      leave: () => {
        const ticket = ticketOf();
        this.slots.end(ticket);
        this.admission.leave(ticket);
      },
    };
  }

  private tick(): void {
    this.admission.tick();
    this.slots.tick();
    if (this.admission.running + this.admission.waiting > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private crowded(reason: RefusalReason): Fault {
    const { total, perAddress } = this.counts;
    const why = {
      'address-full': `This address has ${perAddress} queries running, as many as one address may have (NODELEDGER_MAX_QUERIES_PER_CLIENT)`,
      full: `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES), and none of them ended in time`,
      'queue-full': `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES), and the queue is full`,
    }[reason];
    return crowdedFault(`${why}. Ask again in a moment.`);
  }
}

const crowdedFault = (text: string): Fault =>
  new Fault('busy', 'query.crowded', text, { details: { retryAfterSeconds } });

export const stopping = (): Fault =>
  new Fault('busy', 'query.stopping', 'The service is stopping. Ask again in a moment.');

function lostPermit(reason: LossReason, { total }: PermitCounts): Fault {
  if (reason === 'overstayed') {
    return crowdedFault(
      `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES). This query took long, and short queries wait for its permit. Ask again in a moment.`,
    );
  }
  return new Fault(
    'timed-out',
    'query.stalled',
    'The client read almost nothing of its answer while other queries waited for a permit.',
    { details: { status: 500 } },
  );
}
