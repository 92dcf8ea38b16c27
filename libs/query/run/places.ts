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
import { Turns } from './turns';

export interface QueryClient {
  /** Requests with the same address count as one client. */
  readonly address: string;
  /** Aborts when the client leaves. */
  readonly gone: AbortSignal;
  readonly reader: Reader;
  /** The longest time that the request can wait, in milliseconds. */
  readonly waitMs: number;
}

/** The right to run one query. */
export interface Place {
  /** Aborts, with a Fault as its reason, when the query must end because it holds up others. */
  readonly lost: AbortSignal;
  /** Runs work for PostgreSQL when it is this query's turn. One call at a time. Never settles after `leave`. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Must be called when the query has released all that it held. */
  leave(): void;
}

interface PlaceCounts {
  /** Most queries at once: as many as the read pool has connections. */
  readonly total: number;
  readonly perAddress: number;
  /** Most queries that PostgreSQL works on at once, not counting addresses with short queries. */
  readonly active: number;
}

interface PlaceUse {
  readonly running: number;
  readonly waiting: number;
  /** Most that run at once. */
  readonly total: number;
}

/** Every request in the queue holds its body, so a longer queue takes more memory and answers nothing sooner. */
const queuePerPlace = 10;
/** Clients give up or retry after some seconds. A later answer is of no use to them. */
const longestWaitMs = 10_000;
const tickMs = 250;
const retryAfterSeconds = 5;

/** Half of the places are reserved for addresses with few or short queries. */
const reservedOf = (total: number): number => Math.floor(total / 2);

const admissionLimits = ({ total, perAddress }: PlaceCounts): AdmissionLimits => ({
  places: total,
  placesPerAddress: perAddress,
  reserved: reservedOf(total),
  queue: total * queuePerPlace,
});

/** Gives queries their places and turns. Faults: `query.crowded` and `query.stopping` (busy), `query.gone`. */
export class Places {
  private readonly admission: Admission;
  private readonly turns: Turns<Ticket>;
  private readonly refusals = new Set<(fault: Fault) => void>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly counts: PlaceCounts) {
    const clock = (): number => performance.now();
    this.admission = new Admission(admissionLimits(counts), clock);
    this.turns = new Turns(counts.active, () => this.admission.weights(), clock);
  }

  /** Resolves when the query may run. */
  async take({ address, gone, reader, waitMs }: QueryClient): Promise<Place> {
    if (this.closed) throw stopping();
    if (gone.aborted) throw clientLeft(gone.reason);
    this.timer ??= setInterval(() => this.tick(), tickMs).unref();
    const lost = new AbortController();
    return new Promise<Place>((resolve, reject) => {
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
          // `ticket` is not assigned yet if a place was free at once.
          resolve(this.placeOf(() => ticket, lost.signal));
        },
        refused: (reason) => refuse(this.crowded(reason)),
        lost: (reason) => lost.abort(lostPlace(reason, this.counts)),
      });
    });
  }

  /** Queries that run and that wait at the moment. */
  get use(): PlaceUse {
    const { running, waiting } = this.admission;
    return { running, waiting, total: this.counts.total };
  }

  /** Refuses all waiting requests, because the service stops. Running queries continue. */
  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    for (const refuse of [...this.refusals]) refuse(stopping());
  }

  private placeOf(ticketOf: () => Ticket, lost: AbortSignal): Place {
    return {
      lost,
      inTurn: async (work) => {
        const ticket = ticketOf();
        this.admission.pause(ticket);
        await new Promise<void>((granted) => this.turns.ask(ticket, granted));
        this.admission.resume(ticket);
        try {
          return await work();
        } finally {
          this.turns.end(ticket);
        }
      },
      leave: () => {
        const ticket = ticketOf();
        this.turns.end(ticket);
        this.admission.leave(ticket);
      },
    };
  }

  private tick(): void {
    this.admission.tick();
    this.turns.tick();
    if (this.admission.running + this.admission.waiting > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private crowded(reason: RefusalReason): Fault {
    const { total, perAddress } = this.counts;
    const why = {
      'address-full': `This address has ${perAddress} queries running, as many as one address may have (NODELEDGER_MAX_QUERIES_PER_CLIENT)`,
      full: `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES), and no place became free in time`,
      'queue-full': `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES), and the queue is full`,
    }[reason];
    return crowdedFault(`${why}. Ask again in a moment.`);
  }
}

const crowdedFault = (text: string): Fault =>
  new Fault('busy', 'query.crowded', text, { details: { retryAfterSeconds } });

/** 503: the service no longer answers queries. */
export const stopping = (): Fault =>
  new Fault('busy', 'query.stopping', 'The service is stopping. Ask again in a moment.');

function lostPlace(reason: LossReason, { total }: PlaceCounts): Fault {
  if (reason === 'overstayed') {
    return crowdedFault(
      `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES). This query took long in a place that is reserved for short ones, and others wait for it. Ask again in a moment.`,
    );
  }
  return new Fault(
    'timed-out',
    'query.stalled',
    'The client read almost nothing of its answer while other queries waited for a place.',
    { details: { status: 500 } },
  );
}
