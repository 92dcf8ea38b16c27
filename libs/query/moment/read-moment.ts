import { excerpt, Fault } from '#fault';
import { type AstJson, displayAst } from '../ast/json';
import { readRelativeTime } from '../ast/relative-time';
import { readTimestamp } from '../ast/timestamp';
import type { Moment } from './moment';

/** Largest number of partitions that a log can have. */
const mostPartitions = 1_024;

/** Finite times that replace PostgreSQL's infinities: one before every moment in the history, and one after. */
const unlimited: Readonly<Record<string, string>> = {
  '-infinity': '0001-01-01T00:00:00.000Z',
  infinity: '9999-12-31T00:00:00.000Z',
};

const positionsForm = /^([\d,]+)@(.+)$/;
const offset = /^\d{1,15}$/;
const nowForm = /^now(?:\s*\(\s*\))?(?:\s*([-+])\s*(\S.*))?$/;

/**
 * Reads a time, a relative time, or the value of the header X-Nodeledger-As-Of from an earlier answer. Throws
 * `query.as-of` if the value is none of these.
 */
export function readMoment(value: AstJson): Moment {
  if (typeof value === 'string') {
    const [, offsets, time] = positionsForm.exec(value.trim()) ?? [];
    if (offsets !== undefined && time !== undefined) return positionsOf(offsets, time, value);
  }
  const seconds = secondsFromNow(value);
  if (seconds !== undefined) return { kind: 'relative', seconds };
  const time = readTimestamp(value);
  if (time === undefined) throw notAMoment(value);
  return { kind: 'time', time: unlimited[time] ?? time };
}

function secondsFromNow(value: AstJson): number | undefined {
  if (typeof value !== 'string') return readRelativeTime(value);
  const text = value.trim();
  if (text === 'yesterday') return readRelativeTime('1 day ago');
  const [whole, sign, duration] = nowForm.exec(text) ?? [];
  if (whole === undefined) return readRelativeTime(text);
  return sign === undefined || duration === undefined ? 0 : readRelativeTime([sign, ['now'], duration]);
}

function positionsOf(list: string, text: string, value: string): Moment {
  const offsets = list.split(',', mostPartitions + 1);
  const time = readTimestamp(text);
  const isFinite = time !== undefined && !time.endsWith('infinity');
  if (!isFinite || offsets.length > mostPartitions || !offsets.every((one) => offset.test(one)))
    throw notAMoment(value);
  return { kind: 'positions', offsets, time };
}

const notAMoment = (value: AstJson): Fault =>
  new Fault('malformed', 'query.as-of', `as_of does not know the moment ${excerpt(displayAst(value))}.`, {
    hint:
      'Give a time such as "2026-01-31T12:00:00Z", a relative time such as "2 days ago", "yesterday" or now() - 2h, ' +
      'or the X-Nodeledger-As-Of of an answer.',
  });
