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

/** Who asks for a place. */
export interface Asker {
  /** Who counts as one client. */
  readonly address: string;
  /** Aborts when the client leaves. */
  readonly gone: AbortSignal;
  readonly reader: Reader;
  /** How long the request has time to wait, milliseconds. */
  readonly waitMs: number;
}

/** The right to run one query. */
export interface Place {
  /** Aborts, with a Fault as its reason, when the query is to end because it holds up others. */
  readonly lost: AbortSignal;
  /** Runs what makes PostgreSQL work when it is this query's turn; one at a time. Never settles once the place is left. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** To be called once the query holds nothing any more. */
  leave(): void;
}

export interface PlaceCounts {
  /** Most queries at once: as many as the read pool has connections. */
  readonly total: number;
  readonly perAddress: number;
  /** Most queries that PostgreSQL works on at once, those of addresses with short queries aside. */
  readonly active: number;
}

/** Every request in the queue keeps its body: more of them would be more memory, not more answers. */
const queuePerPlace = 10;
/** Clients give up or ask again after some seconds; by then an answer is worth nothing. */
const longestWaitMs = 10_000;
const tickMs = 250;
const retryAfterSeconds = 5;

/** Of ten places, three are kept for addresses that ask little or short queries. */
const keptOf = (total: number): number => (total > 1 ? Math.max(1, Math.floor((total * 3) / 10)) : 0);

const admissionLimits = ({ total, perAddress }: PlaceCounts): AdmissionLimits => ({
  places: total,
  placesPerAddress: perAddress,
  kept: keptOf(total),
  queue: total * queuePerPlace,
});

/** The places of a process that answers queries. Faults: `query.crowded` and `query.stopping` (busy), `query.gone`. */
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
  async take({ address, gone, reader, waitMs }: Asker): Promise<Place> {
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
          // The ticket is not there yet where a place was free at once.
          resolve(this.placeOf(() => ticket, lost.signal));
        },
        refused: (reason) => refuse(this.crowded(reason)),
        lost: (reason) => lost.abort(lostPlace(reason, this.counts)),
      });
    });
  }

  /** Those who wait are told that the service stops; those who run go on. */
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
      'queue-full': `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES), and too many wait already`,
    }[reason];
    return crowdedFault(`${why}. Ask again in a moment.`);
  }
}

const crowdedFault = (text: string): Fault =>
  new Fault('busy', 'query.crowded', text, { details: { retryAfterSeconds } });

const stopping = (): Fault => new Fault('busy', 'query.stopping', 'The service is stopping; ask again in a moment.');

function lostPlace(reason: LossReason, { total }: PlaceCounts): Fault {
  if (reason === 'overstayed') {
    return crowdedFault(
      `The service answers ${total} queries at once (NODELEDGER_MAX_QUERIES). This one had a place that is kept for short queries, and others wait for it. Ask again in a moment.`,
    );
  }
  return new Fault(
    'timed-out',
    'query.stalled',
    'The client took almost nothing of its answer while other queries waited for a place.',
    { details: { status: 500 } },
  );
}
