import { Fault, type FaultKind } from '#fault';
import { type LimitEntry, limitEntry, type LimitName, type Limits, settingOfLimit } from './limit-table';

const codes = { request: 'http.limit', query: 'query.limit', payload: 'wire.limit', answer: 'query.limit' } as const;
const kinds: Readonly<Record<LimitEntry['bounds'], FaultKind>> = {
  request: 'too-large',
  query: 'malformed',
  payload: 'malformed',
  answer: 'malformed',
};

/** Throws `http.limit`, `query.limit` or `wire.limit` if `found` exceeds the limit. */
export function checkLimit(limits: Limits, name: LimitName, found: number): void {
  if (found > limits[name]) throw overLimit(limits, name, found);
}

/** Returns the fault for an exceeded limit. `found` is undefined if counting stopped at the limit. */
export function overLimit(limits: Limits, name: LimitName, found?: number): Fault {
  const { counts, bounds } = limitEntry(name);
  const key = settingOfLimit(name)?.key;
  const most = limits[name];
  const there = found === undefined ? `more than ${most}` : String(found);
  return new Fault(kinds[bounds], codes[bounds], `Too large: ${there} ${counts}; at most ${most} are allowed.`, {
    ...(key !== undefined && { hint: `The setting ${key} changes this limit.` }),
    details: { limit: key ?? name, most, ...(found === undefined ? {} : { found }) },
  });
}
