/**
 * Supports the header `X-Nodeledger-Wait-For`, in which a query lists positions from the answers to commands. The
 * service answers the query after the tables contain the effects of these commands.
 */
import type { AwaitedPosition, PositionWaits, WaitOutcome } from '#database';
import { excerpt, Fault } from '#fault';
import { malformed } from '../ast/malformed';
import { clientLeft } from '../run/database-error';
import { stopping } from '../run/permits';

export const waitForHeader = 'x-nodeledger-wait-for';
const form = /^\s*(\d{1,4})-(\d{1,15})\s*$/;
/** Largest number of partitions that a log can have. */
const mostPositions = 1_024;
/** Retry-After in seconds. A wait usually ends within a few seconds, or after NODELEDGER_WAIT_TIMEOUT. */
const retryAfterSeconds = 5;

/** Returns the highest position of each partition. Throws `query.wait-for` if the header is malformed. */
export function readWaitFor(headers: Readonly<Record<string, string | string[] | undefined>>): AwaitedPosition[] {
  const value = headers[waitForHeader];
  if (value === undefined) return [];
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => one.split(','));
  if (texts.length > mostPositions) {
    throw refusal(
      `names ${texts.length} positions; ${mostPositions} are accepted, the newest of each partition is enough`,
    );
  }
  const newest = new Map<number, number>();
  for (const text of texts) {
    const [, partition, offset] = form.exec(text) ?? [];
    if (partition === undefined || offset === undefined) {
      throw refusal(`has '${text.trim().slice(0, 40)}' where a position is expected`);
    }
    newest.set(Number(partition), Math.max(Number(offset), newest.get(Number(partition)) ?? 0));
  }
  return [...newest].map(([partition, offset]) => ({ partition, offset }));
}

/**
 * Throws `query.late` (504) after the time limit, `query.wait-for` if the log does not have a partition,
 * `query.crowded` (503) if too many queries wait, and `query.stopping` (503) when the service stops.
 */
export async function waitUntilPassed(
  positions: readonly AwaitedPosition[],
  waits: PositionWaits,
  { timeoutMs, signal, address }: { timeoutMs: number; signal: AbortSignal; address: string },
): Promise<void> {
  const outcome = await waits.wait(positions, timeoutMs, { signal, address });
  switch (outcome.end) {
    case 'passed':
      return;
    case 'late':
      throw late(positions, outcome, timeoutMs);
    case 'unknown': {
      const unknown = positions.filter(({ partition }) => !outcome.applied.has(partition)).map(spell);
      throw refusal(`names ${excerpt(unknown.join(', '))}, but the log has ${outcome.applied.size} partitions, from 0`);
    }
    case 'crowded':
      throw new Fault(
        'busy',
        'query.crowded',
        'Too many queries are waiting for positions of the log, in all or from this address.',
        {
          hint: 'Ask again in a moment, or without X-Nodeledger-Wait-For.',
          details: { retryAfterSeconds },
        },
      );
    case 'given-up':
      if (signal.aborted) throw clientLeft(signal.reason);
      throw stopping();
  }
}

const spell = ({ partition, offset }: AwaitedPosition): string => `${partition}-${offset}`;

function refusal(what: string): Fault {
  return malformed('wait-for', `The header X-Nodeledger-Wait-For ${what}.`, {
    hint: 'Give the X-Nodeledger-Position of the answer to a command, such as 3-1207; separate several by commas.',
  });
}

function late(positions: readonly AwaitedPosition[], { applied }: WaitOutcome, timeoutMs: number): Fault {
  const missing = positions.filter(({ partition, offset }) => (applied.get(partition) ?? 0) <= offset);
  const [first] = missing;
  const others =
    missing.length === 1 ? '' : missing.length === 2 ? ' and 1 other' : ` and ${missing.length - 1} others`;
  const next = first === undefined ? undefined : applied.get(first.partition);
  const reached =
    next === undefined
      ? 'their position is not known'
      : `the next record that they take is ${first?.partition}-${next}`;
  return new Fault(
    'timed-out',
    'query.late',
    `The tables did not reach position ${first === undefined ? '' : spell(first)}${others} within ${timeoutMs / 1000} s: ${reached}.`,
    { details: { form: 'json' } },
  );
}
