import { Fault, type FaultCode } from '#fault';
import { TroubleObserver, type LogTrouble } from './trouble-observer';

const fault = (message: string, code: FaultCode = 'log.unavailable'): Fault =>
  new Fault('busy', code, message, { hint: 'Wait.' });

describe('TroubleObserver', () => {
  let reported: (LogTrouble | undefined)[];
  let watch: TroubleObserver;
  beforeEach(() => {
    jest.useFakeTimers();
    reported = [];
    watch = new TroubleObserver('t', (trouble) => reported.push(trouble), 50);
  });
  afterEach(() => jest.useRealTimers());

  it('does not report failures that end soon', () => {
    watch.failed(1, fault('a'));
    watch.failed(1, fault('a'));
    watch.succeeded(1);
    jest.advanceTimersByTime(60);
    watch.failed(1, fault('a'));
    watch.succeeded(1);
    expect(reported).toEqual([]);
  });

  it('counts two failures with a long time between them separately', () => {
    watch = new TroubleObserver('t', (trouble) => reported.push(trouble), 50, 80);
    watch.failed(1, fault('a'));
    jest.advanceTimersByTime(100);
    watch.failed(1, fault('b'));
    expect(reported).toEqual([]);
    jest.advanceTimersByTime(60);
    watch.failed(1, fault('b'));
    expect(reported).toHaveLength(1);
  });

  it('counts failures before and after an idle time separately', () => {
    watch.failed(1, fault('a'));
    watch.rested(1);
    jest.advanceTimersByTime(60);
    watch.failed(1, fault('an idle connection was closed'));
    expect(reported).toEqual([]);
  });

  it('keeps reported trouble while the partition is idle', () => {
    watch.failed(1, fault('a'));
    jest.advanceTimersByTime(60);
    watch.failed(1, fault('a'));
    watch.rested(1);
    expect([...watch.partitions().keys()]).toEqual([1]);
    expect(reported).toHaveLength(1);
    watch.succeeded(1);
    expect(reported.at(-1)).toBeUndefined();
  });

  it('reports lasting failures once, with their begin, and their end', () => {
    const before = Date.now();
    watch.failed(1, fault('a'));
    jest.advanceTimersByTime(60);
    const after = Date.now();
    for (let n = 0; n < 5; n++) watch.failed(1, fault('a'));
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ fault: { message: 'a', hint: 'Wait.' } });
    expect(reported[0]?.since).toBeGreaterThanOrEqual(before);
    expect(reported[0]?.since).toBeLessThanOrEqual(after - 50);
    watch.succeeded(1);
    watch.succeeded(1);
    expect(reported).toHaveLength(2);
    expect(reported[1]).toBeUndefined();
  });

  it('names all failing partitions, and reports again when they change', () => {
    for (const partition of [10, 9]) watch.failed(partition, fault(`of ${partition}`));
    jest.advanceTimersByTime(60);
    for (const partition of [10, 9]) watch.failed(partition, fault(`of ${partition}`));
    watch.succeeded(10);
    watch.succeeded(9);
    expect(reported.map((trouble) => trouble?.fault.message)).toEqual([
      'of 10',
      'partitions 9, 10 of topic t cannot be written: of 10',
      'of 9',
      undefined,
    ]);
    expect(reported.map((trouble) => trouble?.partitions)).toEqual([[10], [9, 10], [9], undefined]);
  });

  it('names the brokers if none of them answers', () => {
    const reader = {};
    watch.failed(reader, fault('reading'));
    watch.failed(3, fault('no broker', 'log.unreachable'));
    jest.advanceTimersByTime(60);
    watch.failed(reader, fault('reading'));
    watch.failed(3, fault('no broker', 'log.unreachable'));
    expect(reported.map((trouble) => trouble?.fault.message)).toEqual(['reading', 'no broker']);
    expect(reported.map((trouble) => trouble?.partitions)).toEqual([[], []]);
  });
});
