import { Slots } from './slots';
import { Priority } from './priority';

/** Queries by name. The test sets their priorities and advances the clock. */
class Bench {
  now = 0;
  readonly priorities = new Map<string, Priority>();
  readonly running = new Set<string>();
  private readonly slots: Slots<string>;

  constructor(most: number) {
    const priorityOf = (query: string): Priority => this.priorities.get(query.replace(/\d+$/, '')) ?? Priority.heavy;
    this.slots = new Slots(
      most,
      () => priorityOf,
      () => this.now,
    );
    this.priorities.set('short', Priority.short).set('new', Priority.new);
  }

  ask(...queries: string[]): void {
    for (const query of queries) this.slots.ask(query, () => this.running.add(query));
  }

  end(query: string): void {
    this.running.delete(query);
    this.slots.end(query);
  }

  pass(ms: number): void {
    this.now += ms;
    this.slots.tick();
  }
}

test('as many heavy queries as allowed have their slot, the others in the order in which they asked', () => {
  const bench = new Bench(2);
  bench.ask('heavy1', 'heavy2', 'heavy3', 'heavy4');
  expect([...bench.running]).toEqual(['heavy1', 'heavy2']);
  bench.end('heavy2');
  expect([...bench.running]).toEqual(['heavy1', 'heavy3']);
  bench.ask('heavy2');
  bench.end('heavy1');
  expect([...bench.running]).toEqual(['heavy3', 'heavy4']);
  bench.pass(60_000);
  expect([...bench.running]).toEqual(['heavy3', 'heavy4']);
});

test('short queries wait for nobody, and nobody waits for them', () => {
  const bench = new Bench(1);
  bench.ask('heavy1', 'heavy2', 'short1', 'short2', 'short3');
  expect([...bench.running]).toEqual(['heavy1', 'short1', 'short2', 'short3']);
  bench.end('heavy1');
  expect(bench.running).toContain('heavy2');
});

test('those of which little is known go before heavy ones', () => {
  const bench = new Bench(1);
  bench.ask('heavy1', 'heavy2', 'new1');
  bench.end('heavy1');
  expect([...bench.running]).toEqual(['new1']);
});

test('they do not wait until long slots end: one more has its slot each second', () => {
  const bench = new Bench(1);
  bench.ask('heavy1', 'new1', 'new2', 'heavy2');
  bench.pass(900);
  expect([...bench.running]).toEqual(['heavy1']);
  bench.pass(100);
  expect([...bench.running]).toEqual(['heavy1', 'new1']);
  bench.pass(900);
  expect([...bench.running]).toEqual(['heavy1', 'new1']);
  bench.pass(100);
  expect([...bench.running]).toEqual(['heavy1', 'new1', 'new2']);
  bench.pass(60_000);
  expect([...bench.running]).toEqual(['heavy1', 'new1', 'new2']);
});

test('beside slots that have been long for a while, new queries have theirs at once', () => {
  const bench = new Bench(1);
  bench.ask('new1', 'new2', 'new3', 'new4');
  for (let second = 0; second < 3; second++) bench.pass(1_000);
  expect(bench.running.size).toBe(4);
  bench.priorities.set('new', Priority.heavy);
  bench.pass(1_000);
  for (const address of ['x', 'y', 'z']) {
    bench.priorities.set(address, Priority.new);
    bench.ask(address);
    expect(bench.running).toContain(address);
    bench.end(address);
  }
});

test('what an address turns out to be counts from then on', () => {
  const bench = new Bench(1);
  bench.ask('short1', 'heavy1');
  bench.priorities.set('short', Priority.heavy);
  bench.end('heavy1');
  bench.ask('heavy2');
  expect([...bench.running]).toEqual(['short1']);
  bench.end('short1');
  expect([...bench.running]).toEqual(['heavy2']);
});

test('a query that leaves while it waits gets no slot', () => {
  const bench = new Bench(1);
  bench.ask('heavy1', 'heavy2', 'heavy3');
  bench.end('heavy2');
  bench.end('heavy1');
  expect([...bench.running]).toEqual(['heavy3']);
});
