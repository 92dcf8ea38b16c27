import { Fault } from '#fault';
import type { Position } from '#log';
import { letterName, type LetterSummary } from '#projections';

/** Throws `admin.no-letter` if the dead letter is not waiting for a decision. */
export function requireWaiting(position: Position, found: LetterSummary | undefined): LetterSummary {
  if (found?.state === 'waiting') return found;
  const name = letterName(position);
  const became =
    found === undefined
      ? `There is no dead letter ${name}.`
      : found.state === 'applied'
        ? `The dead letter ${name} was retried and its command applied.`
        : `The dead letter ${name} was purged.`;
  throw new Fault('missing', 'admin.no-letter', became);
}
