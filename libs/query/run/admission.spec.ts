import { Admission, type AdmissionLimits, type LossReason, type RefusalReason, type Ticket } from './admission';

const limits: AdmissionLimits = { permits: 10, permitsPerAddress: 5, reserved: 2, queue: 30 };

interface AdmissionRequest {
  readonly ticket: Ticket;
  outcome: 'waiting' | 'running' | RefusalReason | LossReason;
  /**
   * The results of `Reader` for the client: the number of bytes that the client has taken, and whether more bytes wait.
   */
  taken: number;
  waiting: boolean;
}

/** Sends requests to an admission whose clock advances only when the test advances it. */
class Bench {
  now = 0;
  readonly admission: Admission;

  constructor(over: Partial<AdmissionLimits> = {}) {
    this.admission = new Admission({ ...limits, ...over }, () => this.now);
  }

  ask(address: string, { waitMs = 10_000, stalls = false } = {}): AdmissionRequest {
    const request = { outcome: 'waiting', taken: 0, waiting: stalls } as AdmissionRequest & { ticket: Ticket };
    request.ticket = this.admission.ask({
      address,
      waitMs,
      reader: { taken: () => request.taken, waiting: () => request.waiting },
      admitted: () => (request.outcome = 'running'),
      refused: (reason) => (request.outcome = reason),
      lost: (reason) => (request.outcome = reason),
    });
    return request;
  }

  askMany(count: number, address: (n: number) => string, options = {}): AdmissionRequest[] {
    return Array.from({ length: count }, (_, n) => this.ask(address(n), options));
  }

  leave(...requests: AdmissionRequest[]): void {
    for (const { ticket } of requests) this.admission.leave(ticket);
  }

  /** Advances the time in ticks of 250 ms. Calls `each` before every tick. */
  pass(ms: number, each: () => void = () => undefined): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += 250;
      each();
      this.admission.tick();
    }
  }

  /** Returns the milliseconds until a request runs. The request ends at once when it runs. */
  waitOf(address: string, each: () => void): number {
    const start = this.now;
    const request = this.ask(address);
    while (request.outcome === 'waiting') this.pass(250, each);
    expect(request.outcome).toBe('running');
    this.leave(request);
    return this.now - start;
  }
}

const outcomes = (requests: readonly AdmissionRequest[]): string[] => requests.map(({ outcome }) => outcome);
const count = (requests: readonly AdmissionRequest[], outcome: AdmissionRequest['outcome']): number =>
  requests.filter((one) => one.outcome === outcome).length;

test('lets in as many as there are permits, and of one address as many as one may have', () => {
  const bench = new Bench({ reserved: 0 });
  const greedy = bench.askMany(8, () => 'greedy');
  expect(count(greedy, 'running')).toBe(5);
  const others = bench.askMany(7, (n) => `other-${n}`);
  expect(count(others, 'running')).toBe(5);
  expect([bench.admission.running, bench.admission.waiting]).toEqual([10, 5]);
  bench.leave(greedy[0]!);
  expect([greedy[5]!.outcome, others[5]!.outcome]).toEqual(['waiting', 'running']);
});

test('among those with as many running, who has used the least query time lately goes first', () => {
  const bench = new Bench({ permits: 1, reserved: 0 });
  const long = bench.ask('long');
  bench.pass(3_000);
  bench.leave(long);
  const short = bench.ask('short');
  bench.pass(1_000);
  const [ofLong, ofShort] = [bench.ask('long'), bench.ask('short')];
  bench.leave(short);
  expect(outcomes([ofLong, ofShort])).toEqual(['waiting', 'running']);
});

test('who has the fewest running goes first; among equals, who was not served for the longest time', () => {
  const bench = new Bench({ permits: 3, permitsPerAddress: 3, reserved: 0 });
  const running = bench.askMany(3, () => 'a');
  const waiting = [bench.ask('a'), bench.ask('b'), bench.ask('b'), bench.ask('c'), bench.ask('c')];
  const order: number[] = [];
  const noted = new Set<number>();
  const queue = [...running];
  for (let round = 0; round < 5; round++) {
    bench.leave(queue.shift()!);
    waiting.forEach(({ outcome }, n) => {
      if (outcome !== 'running' || noted.has(n)) return;
      noted.add(n);
      order.push(n);
      queue.push(waiting[n]!);
    });
  }
  // b and c come first, because they have no running query and were never served. Then a is next, because it has waited
  // since before the first query of b and of c.
  expect(order).toEqual([1, 3, 0, 2, 4]);
});

test('the queue is bounded in time, and the reason names what was missing', () => {
  const bench = new Bench({ reserved: 0 });
  const running = bench.askMany(5, () => 'full');
  const ownFault = bench.ask('full');
  bench.askMany(5, (n) => `other-${n}`);
  const allTaken = bench.ask('late', { waitMs: 1_000 });
  bench.pass(750);
  expect(outcomes([ownFault, allTaken])).toEqual(['waiting', 'waiting']);
  bench.pass(250);
  expect(outcomes([ownFault, allTaken])).toEqual(['waiting', 'full']);
  bench.pass(9_000);
  expect([ownFault.outcome, bench.admission.waiting]).toEqual(['address-full', 0]);
  expect(count(running, 'running')).toBe(5);
});

test('the queue is bounded in number; the address with the most in it gives way to others', () => {
  const bench = new Bench({ queue: 4, reserved: 0 });
  bench.askMany(10, (n) => `running-${n}`);
  const greedy = bench.askMany(6, () => 'greedy');
  expect(outcomes(greedy)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'queue-full', 'queue-full']);
  const modest = bench.ask('modest');
  expect([modest.outcome, greedy[3]!.outcome]).toEqual(['waiting', 'queue-full']);
});

test('who leaves the queue leaves nothing behind, and is told nothing', () => {
  const bench = new Bench({ permits: 1, reserved: 0 });
  const first = bench.ask('a');
  const gone = bench.ask('b');
  const next = bench.ask('c');
  bench.leave(gone);
  bench.leave(gone);
  bench.leave(first);
  expect([gone.outcome, next.outcome, bench.admission.waiting]).toEqual(['waiting', 'running', 0]);
});

test('reserved permits are for those who have used little; heavy addresses wait although they are free', () => {
  const bench = new Bench({ permitsPerAddress: 10 });
  const heavy = bench.askMany(10, () => 'heavy');
  // No client has used any time, so all requests may run.
  expect(count(heavy, 'running')).toBe(10);
  bench.pass(6_000);
  bench.leave(...heavy);
  const again = bench.askMany(10, () => 'heavy');
  expect(count(again, 'running')).toBe(8);
  const light = bench.ask('light');
  expect(light.outcome).toBe('running');
  bench.leave(light);
  // Used time decays after a while.
  bench.leave(...again);
  bench.pass(600_000);
  expect(
    count(
      bench.askMany(10, () => 'heavy'),
      'running',
    ),
  ).toBe(10);
});

test('twenty greedy addresses with long queries do not starve one light client', () => {
  const bench = new Bench();
  const greedy = bench.askMany(40, (n) => `greedy-${n % 20}`, { waitMs: 1e9 });
  const leaveLost = (): void => bench.leave(...greedy.filter(({ outcome }) => outcome === 'overstayed'));
  expect(count(greedy, 'running')).toBe(10);
  bench.pass(1_000, leaveLost);
  // The admission does not know yet which clients are greedy. So the light client waits among the clients that were not
  // served before.
  expect(bench.waitOf('light', leaveLost)).toBeLessThan(9_000);
  // Later, it waits at most for the short time that a query stays in a reserved permit.
  for (let round = 0; round < 20; round++) {
    bench.pass(1_000, leaveLost);
    expect(bench.waitOf('light', leaveLost)).toBeLessThanOrEqual(1_500);
  }
  // A query whose client reads never loses an ordinary permit.
  expect(count(greedy.slice(0, 8), 'running')).toBe(8);
});

test('twenty addresses of stalled readers, each replaced by the next, do not starve one light client', () => {
  const bench = new Bench();
  let stalled = bench.askMany(20, (n) => `stalled-${n}`, { stalls: true });
  const replace = (): void => {
    const lost = stalled.filter(({ outcome }) => outcome !== 'running' && outcome !== 'waiting');
    bench.leave(...lost);
    stalled = stalled.filter((one) => !lost.includes(one));
    for (const { ticket } of lost) stalled.push(bench.ask(ticket.request.address, { stalls: true }));
  };
  for (let round = 0; round < 20; round++) {
    bench.pass(1_000, replace);
    // In the first round, the admission does not know yet that the light client is lighter than the other clients.
    expect(bench.waitOf('light', replace)).toBeLessThanOrEqual(round === 0 ? 4_000 : 2_000);
  }
});

describe('stalled readers', () => {
  const full = (): { bench: Bench; stalled: AdmissionRequest } => {
    const bench = new Bench({ permits: 2, permitsPerAddress: 2, reserved: 0 });
    const stalled = bench.ask('stalled', { stalls: true });
    bench.ask('reads');
    return { bench, stalled };
  };

  test('may go on while nobody waits, and go at once when somebody comes', () => {
    const { bench, stalled } = full();
    bench.pass(60_000);
    expect(stalled.outcome).toBe('running');
    const next = bench.ask('next');
    bench.pass(250);
    expect([stalled.outcome, next.outcome]).toEqual(['stalled', 'waiting']);
    // The query holds its permit until its connection is returned to the pool.
    bench.pass(1_000);
    expect(next.outcome).toBe('waiting');
    bench.leave(stalled);
    expect(next.outcome).toBe('running');
  });

  test('bytes count: a little now and then does not save it, a steady stream does', () => {
    for (const [bytesPerTick, outcome] of [
      [1_000, 'stalled'],
      [16_000, 'running'],
    ] as const) {
      const { bench, stalled } = full();
      const moving = (): void => void (stalled.taken += bytesPerTick);
      bench.pass(5_000, moving);
      bench.ask('next', { waitMs: 60_000 });
      bench.pass(5_000, moving);
      expect(stalled.outcome).toBe(outcome);
    }
  });

  test('a query that has nothing to send yet is not stalled', () => {
    const { bench, stalled } = full();
    stalled.waiting = false;
    bench.ask('next');
    bench.pass(5_000);
    expect(stalled.outcome).toBe('running');
  });

  test('no more of them go than there are requests that it helps', () => {
    const bench = new Bench({ reserved: 0 });
    const stalled = bench.askMany(10, (n) => `stalled-${n}`, { stalls: true });
    bench.pass(10_000);
    bench.ask('next');
    bench.pass(2_000);
    expect(count(stalled, 'stalled')).toBe(1);
  });

  test('one that holds up nobody stays: the waiting address has as many as it may have', () => {
    const bench = new Bench({ reserved: 0 });
    const stalled = bench.ask('stalled', { stalls: true });
    bench.askMany(6, () => 'busy');
    bench.pass(5_000);
    expect(stalled.outcome).toBe('running');
  });

  test('a process that was busy for long does not take its own silence for that of its clients', () => {
    const { bench, stalled } = full();
    bench.ask('next');
    bench.now += 30_000;
    bench.admission.tick();
    expect(stalled.outcome).toBe('running');
  });
});

describe('reserved permits', () => {
  /** Runs short queries, so that the admission knows that the addresses have short queries. */
  const known = (bench: Bench, ...addresses: string[]): void => {
    for (let n = 0; n < 10; n++) {
      for (const address of addresses) {
        const short = bench.ask(address);
        bench.now += 20;
        bench.leave(short);
      }
    }
  };

  test('half of them are for addresses with short queries, as long as there are some', () => {
    const bench = new Bench({ reserved: 5 });
    const alone = bench.askMany(10, (n) => `new-${n}`);
    expect(count(alone, 'running')).toBe(10);
    bench.leave(...alone);
    known(bench, 'known');
    const unknown = bench.askMany(10, (n) => `unknown-${n}`);
    expect(count(unknown, 'running')).toBe(7);
    expect(outcomes(bench.askMany(3, () => 'known'))).toEqual(['running', 'running', 'running']);
  });

  test('the last one is for an address with short queries that runs none yet, if there are several such addresses', () => {
    const bench = new Bench({ reserved: 5, permitsPerAddress: 10 });
    known(bench, 'first', 'second');
    bench.askMany(7, (n) => `unknown-${n}`);
    expect(outcomes(bench.askMany(3, () => 'first'))).toEqual(['running', 'running', 'waiting']);
    expect(bench.ask('second').outcome).toBe('running');
  });
});

test('a request of an address with as many running queries as allowed takes no permit from anybody', () => {
  const bench = new Bench({ permits: 5, permitsPerAddress: 4, reserved: 2 });
  for (let n = 0; n < 200; n++) bench.leave(bench.ask('known'));
  const running = bench.askMany(4, () => 'known');
  expect(outcomes(running)).toEqual(['running', 'running', 'running', 'running']);
  const next = bench.ask('known', { waitMs: 3_000 });
  bench.pass(2_500);
  expect([...outcomes(running), next.outcome]).toEqual(['running', 'running', 'running', 'running', 'waiting']);
  bench.pass(1_000);
  expect(next.outcome).toBe('address-full');
});

test('a thousand addresses that come and go leave nothing behind', () => {
  const bench = new Bench();
  for (let n = 0; n < 1_000; n++) {
    const request = bench.ask(`address-${n}`);
    bench.pass(250);
    bench.leave(request);
  }
  bench.pass(20 * 60_000);
  expect((bench.admission as unknown as { addresses: Map<string, unknown> }).addresses.size).toBe(0);
});

test('who is known for short queries goes before twenty addresses of which nobody knows anything yet', () => {
  const bench = new Bench();
  for (let n = 0; n < 10; n++) {
    const short = bench.ask('known');
    bench.now += 50;
    bench.leave(short);
  }
  // All requests come at once. They take every permit and fill the queue.
  const unknown = bench.askMany(40, (n) => `unknown-${n % 20}`);
  const leaveLost = (): void => {
    for (const one of unknown) if (one.outcome === 'overstayed' || one.outcome === 'stalled') bench.leave(one);
  };
  const requests = bench.askMany(5, () => 'known');
  expect(count(requests, 'queue-full')).toBe(0);
  bench.pass(1_500, leaveLost);
  expect(count(requests, 'running')).toBeGreaterThanOrEqual(1);
  bench.leave(...requests);
  expect(bench.waitOf('known', leaveLost)).toBeLessThanOrEqual(250);
});

describe('a query that waits for its slot', () => {
  test('does not use query time meanwhile', () => {
    const bench = new Bench({ permits: 1, reserved: 0 });
    const waited = bench.ask('waits');
    bench.admission.pause(waited.ticket);
    bench.pass(9_000);
    bench.admission.resume(waited.ticket);
    bench.pass(250);
    bench.leave(waited);
    const worked = bench.ask('works');
    bench.pass(1_000);
    const [ofWorks, ofWaits] = [bench.ask('works'), bench.ask('waits')];
    bench.leave(worked);
    expect(outcomes([ofWorks, ofWaits])).toEqual(['waiting', 'running']);
  });

  test('keeps its permit where an unknown address wants one, and loses it where a short query does', () => {
    const bench = new Bench({ permits: 2, reserved: 1 });
    for (let count = 0; count < 6; count++) bench.leave(bench.ask('short'));
    bench.ask('first');
    const waits = bench.ask('second');
    bench.admission.pause(waits.ticket);
    const shorts = bench.ask('short');
    // The last permit is reserved for addresses with known short queries.
    expect(outcomes([waits, shorts])).toEqual(['waiting', 'running']);
    bench.leave(shorts);
    const alone = new Bench({ permits: 2, reserved: 1 });
    alone.ask('first');
    const holds = alone.ask('second');
    alone.admission.pause(holds.ticket);
    alone.ask('third');
    alone.pass(5_000);
    expect(holds.outcome).toBe('running');
    alone.admission.resume(holds.ticket);
    alone.pass(1_250);
    expect(holds.outcome).toBe('overstayed');
  });
});
