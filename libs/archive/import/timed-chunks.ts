import type { Readable } from 'node:stream';
import { Fault } from '#fault';

export interface ArrivalPace {
  /** Longest time to wait for the next `bytes` bytes. The time in which the reader processes data does not count. */
  readonly ms: number;
  readonly bytes: number;
}

/**
 * The slowest rate at which a client may send an archive, so that no client can keep an import open forever. Real
 * networks are faster.
 */
export const slowestPace: ArrivalPace = { ms: 60_000, bytes: 65_536 };

/**
 * Each `bytes` bytes have a deadline, but the whole stream has none. If the reader stops early, the stream stays open
 * and paused, so that the response can still be sent. Throws `import.stalled` (408) or `http.client-left`.
 */
export async function* timedChunks(
  stream: Readable,
  { ms, bytes }: ArrivalPace = slowestPace,
): AsyncGenerator<Buffer, void, undefined> {
  const pieces = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let waitedMs = 0;
  let arrived = 0;
  for (;;) {
    const start = performance.now();
    const next = await inTime(pieces.next(), ms - waitedMs);
    if (next === 'late') throw stalled(ms, bytes);
    if (next.done === true) return;
    waitedMs += performance.now() - start;
    arrived += next.value.length;
    if (arrived >= bytes) arrived = waitedMs = 0;
    yield next.value;
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, Math.max(0, ms), 'late')));
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    throw new Fault('malformed', 'http.client-left', 'The client closed the connection before its body was complete.', {
      cause,
    });
  } finally {
    clearTimeout(timer);
    // Ignores an error of the work after the deadline, because nothing else handles the error.
    work.catch(() => undefined);
  }
}

const stalled = (ms: number, bytes: number): Fault =>
  new Fault(
    'timed-out',
    'import.stalled',
    `The client sent less than ${bytes} bytes of the archive in ${ms / 1000} seconds.`,
    {
      hint: 'Repeat the import. What is stored already is not stored again.',
      details: { status: 408, form: 'json' },
    },
  );
