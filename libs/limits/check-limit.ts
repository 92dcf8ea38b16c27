import { Fault, type FaultKind } from '#fault';
import { type LimitEntry, type LimitName, type Limits, limitTable } from './limit-table';

const codes = { request: 'http.limit', query: 'query.limit', payload: 'wire.limit' } as const;
const kinds: Readonly<Record<LimitEntry['bounds'], FaultKind>> = {
  request: 'too-large',
  query: 'malformed',
  payload: 'malformed',
};

/**
 * Refuses more than the limit. Faults: `http.limit` (too-large), `query.limit` and `wire.limit` (malformed), each with
 * the limit, its value and its setting in the message.
 */
export function checkLimit(limits: Limits, name: LimitName, found: number): void {
  if (found > limits[name]) throw overLimit(limits, name, found);
}

/** The refusal itself. `found`: how many there are; left out where counting stopped at the limit. */
export function overLimit(limits: Limits, name: LimitName, found?: number): Fault {
  const { key, counts, bounds }: LimitEntry = limitTable[name];
  const most = limits[name];
  const there = found === undefined ? `more than ${most}` : String(found);
  return new Fault(kinds[bounds], codes[bounds], `Too large: ${there} ${counts}; at most ${most} are allowed.`, {
    hint: `The setting ${key} changes this limit.`,
    details: { limit: key, most, ...(found === undefined ? {} : { found }) },
  });
}
