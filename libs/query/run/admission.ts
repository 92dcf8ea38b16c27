/**
 * Decides which queries run, which wait, and which must end early. Each request has callbacks for these decisions. Pure:
 * time comes from the clock that is passed in, and `tick` must be called a few times a second.
 *
 * - At most `places` queries run at once, at most `placesPerAddress` of them from one client address. Others wait in a queue
 *   that is limited in length and in time.
 * - The next query comes from the address with the fewest running queries; among equals, from the one that has used the
 *   least query time lately; among equals again, from the one that was served longest ago.
 * - `reserved` of the places are reserved for light addresses: those that have used little query time lately, and those whose
 *   queries are short compared with the average. As long as there are addresses with short queries, half of the reserved places
 *   are only for them; if there are several, the last place is only for one of them that has no running query. A query that
 *   holds a reserved place for long loses it when a light address waits for one.
 * - A client that reads almost nothing of its answer loses its place when a waiting request could use it.
 */
import { Weight } from './weight';

export interface AdmissionLimits {
  readonly places: number;
  readonly placesPerAddress: number;
  /** How many of the places are reserved for light addresses. */
  readonly reserved: number;
  /** The longest that the queue may get. */
  readonly queue: number;
}

/** Why a request gets no place: its address has as many as it may have, all are taken, or the queue is full. */
export type RefusalReason = 'address-full' | 'full' | 'queue-full';
/** Why a running query loses its place. */
export type LossReason = 'stalled' | 'overstayed';

/** How far the client has taken its answer. */
export interface Reader {
  /** Bytes that the operating system has taken for the client, ever. */
  taken(): number;
  /** True while there are bytes that it has not taken. */
  waiting(): boolean;
}

export interface Request {
  readonly address: string;
  /** The longest time that it waits for a place, in milliseconds. */
  readonly waitMs: number;
  readonly reader: Reader;
  admitted(): void;
  refused(reason: RefusalReason): void;
  /** The query must end. It holds its place until `leave`. */
  lost(reason: LossReason): void;
}

/** Used query time decays with this time constant, so it covers about the last minute. */
const memoryMs = 60_000;
/** An address that has used less than this of the last minute is light. */
const lightMs = 5_000;
/** An address is also light if its average query takes less than this, or less than half of the overall average. */
const shortMs = 250;
/** The average is used after this many queries. */
const knownCount = 5;
/** How long a query may stay in a reserved place while other light addresses wait for one. */
const longestReservedStayMs = 1_000;
/** While others wait, a client must read at least 32 kB in 1.5 s. */
const leastBytes = 32 << 10;
const stallMs = 1_500;
/** A tick counts for at most this time. A process that was busy for longer has not watched its readers meanwhile. */
const longestTickMs = 500;

interface Address {
  readonly waiting: Ticket[];
  running: number;
  /** Sequence number of the last query that was admitted; 0 if there was none. */
  servedAt: number;
  /** Milliseconds of query time that ended before `usedAt`, decayed until then. */
  used: number;
  /** Number of the queries that took that time, decayed in the same way. */
  count: number;
  usedAt: number;
}

/** A request in the queue or with a place. */
export interface Ticket {
  readonly request: Request;
  /** When it came; once it runs, when it was admitted. */
  since: number;
  /** Milliseconds that it has waited for turns, and when it began to wait for the current one. */
  paused: number;
  pausedAt: number | undefined;
  state: 'waiting' | 'running' | 'gone';
  /** Whether it holds a reserved place. */
  isReserved: boolean;
  lost: boolean;
  stalledMs: number;
  taken: number;
}

export class Admission {
  private readonly addresses = new Map<string, Address>();
  private readonly runningTickets = new Set<Ticket>();
  private waitingCount = 0;
  private served = 0;
  private tickedAt: number;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly clock: () => number,
  ) {
    this.tickedAt = clock();
  }

  get running(): number {
    return this.runningTickets.size;
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /** Calls back at once if there is a place, or if the queue is full. */
  ask(request: Request): Ticket {
    const ticket: Ticket = {
      request,
      since: this.clock(),
      paused: 0,
      pausedAt: undefined,
      state: 'waiting',
      isReserved: false,
      lost: false,
      stalledMs: 0,
      taken: 0,
    };
    const address = this.addressOf(request.address);
    address.waiting.push(ticket);
    this.waitingCount++;
    this.admit();
    if (this.waitingCount > this.limits.queue) this.shorten();
    return ticket;
  }

  /** The query has ended, or the request no longer waits. */
  leave(ticket: Ticket): void {
    const address = this.addresses.get(ticket.request.address);
    if (ticket.state === 'gone' || address === undefined) return;
    if (ticket.state === 'waiting') {
      this.unqueue(ticket);
      return;
    }
    const now = this.clock();
    ticket.state = 'gone';
    this.runningTickets.delete(ticket);
    address.running--;
    const left = remaining(address, now);
    address.used = address.used * left + ownTime(ticket, now);
    address.count = address.count * left + 1;
    address.usedAt = now;
    this.admit();
  }

  /** The query waits for its turn. That time does not count as its own. */
  pause(ticket: Ticket): void {
    ticket.pausedAt = this.clock();
  }

  resume(ticket: Ticket): void {
    ticket.paused += this.clock() - (ticket.pausedAt ?? this.clock());
    ticket.pausedAt = undefined;
  }

  /** Refuses requests that have waited too long, and takes places from queries that hold up others. */
  tick(): void {
    const now = this.clock();
    const elapsed = Math.min(now - this.tickedAt, longestTickMs);
    this.tickedAt = now;
    for (const { waiting } of this.addresses.values()) {
      for (const ticket of [...waiting]) {
        if (now - ticket.since >= ticket.request.waitMs) this.refuse(ticket);
      }
    }
    for (const ticket of this.runningTickets) watch(ticket, elapsed);
    this.takeFromStalled();
    this.takeFromOverstayed(now);
    for (const [name, address] of this.addresses) {
      if (address.running === 0 && address.waiting.length === 0 && decayed(address, now) < 1) {
        this.addresses.delete(name);
      }
    }
  }

  /** Gives the current weight of the address that a ticket comes from. */
  weights(): (ticket: Ticket) => Weight {
    const weigh = this.weightsAt(this.clock());
    const known = new Map<string, Weight>();
    return ({ request: { address } }) => {
      let weight = known.get(address);
      if (weight === undefined) known.set(address, (weight = weigh(address, this.addressOf(address))));
      return weight;
    };
  }

  private addressOf(name: string): Address {
    let address = this.addresses.get(name);
    if (address === undefined) {
      address = { waiting: [], running: 0, servedAt: 0, used: 0, count: 0, usedAt: this.clock() };
      this.addresses.set(name, address);
    }
    return address;
  }

  private admit(): void {
    for (;;) {
      // Reserved places become free first: a query that holds one moves to an ordinary place when there is one.
      for (const ticket of this.runningTickets) {
        if (this.ordinaryFree() <= 0) break;
        ticket.isReserved = false;
      }
      if (this.running >= this.limits.places) return;
      const next = this.next(this.ordinaryFree() <= 0);
      if (next === undefined) return;
      this.start(next);
    }
  }

  private ordinaryFree(): number {
    let ordinary = 0;
    for (const ticket of this.runningTickets) if (!ticket.isReserved) ordinary++;
    return this.limits.places - this.limits.reserved - ordinary;
  }

  /** The next request to admit. `reservedOnly`: only reserved places are free. */
  private next(reservedOnly: boolean): Ticket | undefined {
    const now = this.clock();
    const candidates: { readonly address: Address; readonly used: number; readonly weight: Weight }[] = [];
    const weigh = this.weightsAt(now);
    const free = this.limits.places - this.running;
    const shorts = reservedOnly && free <= Math.ceil(this.limits.reserved / 2) ? this.countShort(weigh) : 0;
    const lightest = shorts > 0 ? Weight.short : Weight.new;
    const most = shorts > 1 && free === 1 ? 1 : this.limits.placesPerAddress;
    for (const [name, address] of this.addresses) {
      if (address.waiting.length === 0 || address.running >= most) continue;
      const weight = weigh(name, address);
      if (reservedOnly && weight > lightest) continue;
      candidates.push({ address, used: this.usedBy(name, address, now), weight: reservedOnly ? weight : Weight.heavy });
    }
    candidates.sort(
      (a, b) =>
        a.weight - b.weight ||
        a.address.running - b.address.running ||
        a.used - b.used ||
        a.address.servedAt - b.address.servedAt,
    );
    return candidates[0]?.address.waiting[0];
  }

  private start(ticket: Ticket): void {
    const address = this.addressOf(ticket.request.address);
    const isReserved = this.ordinaryFree() <= 0;
    address.waiting.shift();
    this.waitingCount--;
    address.running++;
    address.servedAt = ++this.served;
    Object.assign(ticket, { state: 'running', since: this.clock(), isReserved, taken: ticket.request.reader.taken() });
    this.runningTickets.add(ticket);
    ticket.request.admitted();
  }

  /** Query time of the address in about the last minute, including its running queries. */
  private usedBy(name: string, address: Address, now: number): number {
    let used = decayed(address, now);
    if (address.running > 0) {
      for (const ticket of this.runningTickets) if (ticket.request.address === name) used += ownTime(ticket, now);
    }
    return used;
  }

  private countShort(weigh: (name: string, address: Address) => Weight): number {
    let count = 0;
    for (const [name, address] of this.addresses) if (weigh(name, address) === Weight.short) count++;
    return count;
  }

  private weightsAt(now: number): (name: string, address: Address) => Weight {
    let used = 0;
    let count = 0;
    for (const [name, address] of this.addresses) {
      used += this.usedBy(name, address, now);
      count += address.count * remaining(address, now) + address.running;
    }
    const short = Math.max(shortMs, used / Math.max(1, count) / 2);
    return (name, address) => {
      const own = this.usedBy(name, address, now);
      const queries = address.count * remaining(address, now) + address.running;
      if (queries >= knownCount && own / queries < short) return Weight.short;
      return own < lightMs ? Weight.new : Weight.heavy;
    };
  }

  /** The queue is too long: refuses the newest request of the address with the most waiting, heavy addresses first. */
  private shorten(): void {
    const weigh = this.weightsAt(this.clock());
    let longest: Address | undefined;
    let heaviest = -Infinity;
    for (const [name, address] of this.addresses) {
      if (address.waiting.length === 0) continue;
      const weight = weigh(name, address) === Weight.short ? 0 : 1;
      const isLonger = longest === undefined || address.waiting.length >= longest.waiting.length;
      if (weight < heaviest || (weight === heaviest && !isLonger)) continue;
      longest = address;
      heaviest = weight;
    }
    const last = longest?.waiting.at(-1);
    if (last !== undefined) this.refuse(last, 'queue-full');
  }

  private refuse(ticket: Ticket, reason?: RefusalReason): void {
    const { running } = this.addressOf(ticket.request.address);
    this.unqueue(ticket);
    ticket.request.refused(reason ?? (running >= this.limits.placesPerAddress ? 'address-full' : 'full'));
  }

  private unqueue(ticket: Ticket): void {
    const { waiting } = this.addressOf(ticket.request.address);
    const at = waiting.indexOf(ticket);
    if (at < 0) return;
    waiting.splice(at, 1);
    ticket.state = 'gone';
    this.waitingCount--;
  }

  /** The longest stalled first, and no more than there are waiting requests that it helps. */
  private takeFromStalled(): void {
    const stalled = [...this.runningTickets].filter(({ lost, stalledMs }) => !lost && stalledMs >= stallMs);
    stalled.sort((a, b) => b.stalledMs - a.stalledMs);
    for (const ticket of stalled) {
      if (this.helped(ticket.request.address) > this.leaving()) this.take(ticket, 'stalled');
    }
  }

  /** How many waiting requests could run if a query of that address ended. */
  private helped(leaver: string): number {
    let count = 0;
    for (const [name, { waiting, running }] of this.addresses) {
      const most = this.limits.placesPerAddress - running + (name === leaver ? 1 : 0);
      count += Math.min(waiting.length, Math.max(0, most));
    }
    return count;
  }

  private takeFromOverstayed(now: number): void {
    let byShort = 0;
    let byNew = 0;
    const weigh = this.weightsAt(now);
    for (const [name, address] of this.addresses) {
      // Of an address that has as many running queries as it may have, no other can run.
      const most = Math.min(
        address.waiting.length,
        this.limits.reserved,
        this.limits.placesPerAddress - address.running,
      );
      const weight = most <= 0 ? Weight.heavy : weigh(name, address);
      if (weight === Weight.short) byShort += most;
      else if (weight === Weight.new && address.running === 0) byNew++;
    }
    // In the order of admission. Time spent waiting for a turn counts only where short queries need the place.
    for (const ticket of this.runningTickets) {
      const leaving = this.leaving();
      if (byShort + byNew <= leaving) return;
      const stay = leaving < byShort ? now - ticket.since : ownTime(ticket, now);
      if (ticket.isReserved && !ticket.lost && stay >= longestReservedStayMs) this.take(ticket, 'overstayed');
    }
  }

  private leaving(): number {
    let count = 0;
    for (const { lost } of this.runningTickets) if (lost) count++;
    return count;
  }

  private take(ticket: Ticket, reason: LossReason): void {
    ticket.lost = true;
    ticket.request.lost(reason);
  }
}

/** Counts bytes, because a client that reads a byte now and then is stalled too. */
function watch(ticket: Ticket, elapsed: number): void {
  const taken = ticket.request.reader.taken();
  if (!ticket.request.reader.waiting() || taken - ticket.taken >= leastBytes) {
    ticket.stalledMs = 0;
    ticket.taken = taken;
  } else {
    ticket.stalledMs += elapsed;
  }
}

/** The query time of a running query until now: the time since its admission, except while it waited for turns. */
const ownTime = ({ since, paused, pausedAt }: Ticket, now: number): number =>
  now - since - paused - (pausedAt === undefined ? 0 : now - pausedAt);

/** The part of an address's used time that still counts. */
const remaining = ({ usedAt }: Address, now: number): number => Math.exp(-(now - usedAt) / memoryMs);
const decayed = (address: Address, now: number): number => address.used * remaining(address, now);
