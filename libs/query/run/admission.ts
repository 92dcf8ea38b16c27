/**
 * Decides which queries run, which wait, and which must end early. The caller passes in a clock, and must call `tick` a
 * few times a second. A _permit_ lets one query run. At most `permits` queries run at once, and at most
 * `permitsPerAddress` queries from one client address. Other requests wait in a queue, which is limited in length and
 * in time. The next query comes from the address with the fewest running queries. Of several such addresses, the
 * address that has used the least query time lately is preferred. If this time is also equal, the address whose last
 * admission is longest ago is preferred. A number of permits (`reserved`) is reserved for light addresses. An address
 * is light if it has used little query time lately, or if its queries are short compared with the average. While any
 * address has short queries, half of the reserved permits are only for addresses with short queries. While several
 * addresses have short queries, the last free permit is only for such an address without a running query. A query that
 * has held a reserved permit for a long time loses this permit when a light address waits for a permit. A client that
 * reads almost nothing of its answer loses its permit if a waiting request could use the permit.
 */
import { Priority } from './priority';

export interface AdmissionLimits {
  readonly permits: number;
  readonly permitsPerAddress: number;
  readonly reserved: number;
  readonly queue: number;
}

/**
 * Why a request gets no permit. `address-full`: its address has the most permits that one address can have. `full`: no
 * permit became free in time. `queue-full`: too many requests wait.
 */
export type RefusalReason = 'address-full' | 'full' | 'queue-full';
/**
 * Why a running query loses its permit. `stalled`: the client does not read the answer. `overstayed`: the query has
 * held a reserved permit for too long.
 */
export type LossReason = 'stalled' | 'overstayed';

export interface Reader {
  /** Number of bytes that the operating system has accepted for the client since the request began. */
  taken(): number;
  /** Whether there are bytes that the operating system has not accepted yet. */
  waiting(): boolean;
}

export interface Request {
  readonly address: string;
  readonly waitMs: number;
  readonly reader: Reader;
  admitted(): void;
  refused(reason: RefusalReason): void;
  /** Called when the query must end. The query keeps its permit until `leave` is called. */
  lost(reason: LossReason): void;
}

/** Time constant with which used query time decays, so that the used time covers about the last minute. */
const memoryMs = 60_000;
/** An address with less query time than this is light. */
const lightMs = 5_000;
/**
 * An address is also light if its queries are shorter on average than this, or than half of the average of all queries.
 */
const shortMs = 250;
/** The average of an address is used only after this number of queries. */
const knownCount = 5;
/** A query can keep a reserved permit for longer than this only while no light address waits for a permit. */
const longestReservedStayMs = 1_000;
/** While other requests wait for a permit, a client must read at least this many bytes in `stallMs`. */
const leastBytes = 32 << 10;
const stallMs = 1_500;
/**
 * Longest time that one tick adds to `stalledMs`, because a process that was busy for longer has not watched its
 * clients.
 */
const longestTickMs = 500;

interface Address {
  readonly waiting: Ticket[];
  running: number;
  /** Sequence number of the last admitted query of the address, or 0 if no query was admitted. */
  servedAt: number;
  /** Query time of queries that have ended, in milliseconds, decayed until `usedAt`. */
  used: number;
  /** Number of the queries in `used`, decayed in the same way. */
  count: number;
  usedAt: number;
}

export interface Ticket {
  readonly request: Request;
  /** While the request waits, the time of the request. When the query runs, the time of the admission. */
  since: number;
  /** Milliseconds that the query has waited for slots, not including the current wait, which began at `pausedAt`. */
  paused: number;
  pausedAt: number | undefined;
  state: 'waiting' | 'running' | 'gone';
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

  /**
   * Adds a request to the queue. Calls `admitted` before returning if a permit is free, and `refused` if the queue is
   * full.
   */
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

  /** Releases the permit of the query, or removes the request from the queue. */
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

  /** Begins a wait for a slot. The wait does not count as time of the query. */
  pause(ticket: Ticket): void {
    ticket.pausedAt = this.clock();
  }

  resume(ticket: Ticket): void {
    ticket.paused += this.clock() - (ticket.pausedAt ?? this.clock());
    ticket.pausedAt = undefined;
  }

  /** Refuses requests that have waited too long, and takes permits from queries that delay other requests. */
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

  priorities(): (ticket: Ticket) => Priority {
    const weigh = this.prioritiesAt(this.clock());
    const known = new Map<string, Priority>();
    return ({ request: { address } }) => {
      let priority = known.get(address);
      if (priority === undefined) known.set(address, (priority = weigh(address, this.addressOf(address))));
      return priority;
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
      // First exchanges reserved permits of running queries for free ordinary permits.
      for (const ticket of this.runningTickets) {
        if (this.ordinaryFree() <= 0) break;
        ticket.isReserved = false;
      }
      if (this.running >= this.limits.permits) return;
      const next = this.next(this.ordinaryFree() <= 0);
      if (next === undefined) return;
      this.start(next);
    }
  }

  private ordinaryFree(): number {
    let ordinary = 0;
    for (const ticket of this.runningTickets) if (!ticket.isReserved) ordinary++;
    return this.limits.permits - this.limits.reserved - ordinary;
  }

  /** Returns undefined if no request can be admitted. `reservedOnly` means that only reserved permits are free. */
  private next(reservedOnly: boolean): Ticket | undefined {
    const now = this.clock();
    const candidates: { readonly address: Address; readonly used: number; readonly priority: Priority }[] = [];
    const weigh = this.prioritiesAt(now);
    const free = this.limits.permits - this.running;
    const shorts = reservedOnly && free <= Math.ceil(this.limits.reserved / 2) ? this.countShort(weigh) : 0;
    const lightest = shorts > 0 ? Priority.short : Priority.new;
    const most = shorts > 1 && free === 1 ? 1 : this.limits.permitsPerAddress;
    for (const [name, address] of this.addresses) {
      if (address.waiting.length === 0 || address.running >= most) continue;
      const priority = weigh(name, address);
      if (reservedOnly && priority > lightest) continue;
      candidates.push({
        address,
        used: this.usedBy(name, address, now),
        priority: reservedOnly ? priority : Priority.heavy,
      });
    }
    candidates.sort(
      (a, b) =>
        a.priority - b.priority ||
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

  /** Returns the query time of the address in about the last minute, including its running queries. */
  private usedBy(name: string, address: Address, now: number): number {
    let used = decayed(address, now);
    if (address.running > 0) {
      for (const ticket of this.runningTickets) if (ticket.request.address === name) used += ownTime(ticket, now);
    }
    return used;
  }

  private countShort(weigh: (name: string, address: Address) => Priority): number {
    let count = 0;
    for (const [name, address] of this.addresses) if (weigh(name, address) === Priority.short) count++;
    return count;
  }

  private prioritiesAt(now: number): (name: string, address: Address) => Priority {
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
      if (queries >= knownCount && own / queries < short) return Priority.short;
      return own < lightMs ? Priority.new : Priority.heavy;
    };
  }

  /**
   * Refuses the newest request of the address with the most waiting requests. Refuses requests from addresses with
   * short queries last.
   */
  private shorten(): void {
    const weigh = this.prioritiesAt(this.clock());
    let longest: Address | undefined;
    let heaviest = -Infinity;
    for (const [name, address] of this.addresses) {
      if (address.waiting.length === 0) continue;
      const priority = weigh(name, address) === Priority.short ? 0 : 1;
      const isLonger = longest === undefined || address.waiting.length >= longest.waiting.length;
      if (priority < heaviest || (priority === heaviest && !isLonger)) continue;
      longest = address;
      heaviest = priority;
    }
    const last = longest?.waiting.at(-1);
    if (last !== undefined) this.refuse(last, 'queue-full');
  }

  private refuse(ticket: Ticket, reason?: RefusalReason): void {
    const { running } = this.addressOf(ticket.request.address);
    this.unqueue(ticket);
    ticket.request.refused(reason ?? (running >= this.limits.permitsPerAddress ? 'address-full' : 'full'));
  }

  private unqueue(ticket: Ticket): void {
    const { waiting } = this.addressOf(ticket.request.address);
    const at = waiting.indexOf(ticket);
    if (at < 0) return;
    waiting.splice(at, 1);
    ticket.state = 'gone';
    this.waitingCount--;
  }

  /** Begins with the longest stall, and takes no more permits than waiting requests can use. */
  private takeFromStalled(): void {
    const stalled = [...this.runningTickets].filter(({ lost, stalledMs }) => !lost && stalledMs >= stallMs);
    stalled.sort((a, b) => b.stalledMs - a.stalledMs);
    for (const ticket of stalled) {
      if (this.helped(ticket.request.address) > this.leaving()) this.take(ticket, 'stalled');
    }
  }

  /** Returns the number of waiting requests that could run if a query of the address `leaver` ended. */
  private helped(leaver: string): number {
    let count = 0;
    for (const [name, { waiting, running }] of this.addresses) {
      const most = this.limits.permitsPerAddress - running + (name === leaver ? 1 : 0);
      count += Math.min(waiting.length, Math.max(0, most));
    }
    return count;
  }

  private takeFromOverstayed(now: number): void {
    let byShort = 0;
    let byNew = 0;
    const weigh = this.prioritiesAt(now);
    for (const [name, address] of this.addresses) {
      // If an address has the most running queries that it can have, none of its waiting requests can run.
      const most = Math.min(
        address.waiting.length,
        this.limits.reserved,
        this.limits.permitsPerAddress - address.running,
      );
      const priority = most <= 0 ? Priority.heavy : weigh(name, address);
      if (priority === Priority.short) byShort += most;
      else if (priority === Priority.new && address.running === 0) byNew++;
    }
    // The oldest query loses its permit first. While addresses with short queries wait, the age of a query includes the
    // time in which it waited for its slot.
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

/** Counts bytes, because a client that reads single bytes is stalled too. */
function watch(ticket: Ticket, elapsed: number): void {
  const taken = ticket.request.reader.taken();
  if (!ticket.request.reader.waiting() || taken - ticket.taken >= leastBytes) {
    ticket.stalledMs = 0;
    ticket.taken = taken;
  } else {
    ticket.stalledMs += elapsed;
  }
}

/** Returns the time since the admission of a query, without the time in which it waited for slots. */
const ownTime = ({ since, paused, pausedAt }: Ticket, now: number): number =>
  now - since - paused - (pausedAt === undefined ? 0 : now - pausedAt);

const remaining = ({ usedAt }: Address, now: number): number => Math.exp(-(now - usedAt) / memoryMs);
const decayed = (address: Address, now: number): number => address.used * remaining(address, now);
