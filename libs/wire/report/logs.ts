import type { JsonText } from '../documents';
import { eachElement, readObjects } from '../check/elements';
import { kindAt, type Members } from '../check/members';
import { quoted } from '../check/problems';
import { shape } from '../check/shape';
import { readStrictTime } from '../check/times';
import { isInteger } from '../json/numbers';
import { plainStyle, rewrite } from '../json/rewrite';
import { parsedLogs } from './parsed-logs';

type LogField = 'file' | 'line' | 'level' | 'message' | 'source' | 'tags' | 'time';
export const logShape = shape<LogField>(['file', 'line', 'level', 'message', 'source', 'tags', 'time']);
/** The order in which jsonb prints the members. */
const order: readonly LogField[] = ['file', 'line', 'tags', 'time', 'level', 'source', 'message'];

/** Returns the log lines in the form of answers, with U+0000 replaced and `time` unchanged. Null stays null. */
export function readLogs<K extends string>(report: Members<K | 'logs'>): JsonText {
  return parsedLogs(report, logShape.names) ?? readAnyLogs(report);
}

/** Reads log lines like `readLogs`, in any valid form. Adds a problem for each invalid value. */
export function readAnyLogs<K extends string>(report: Members<K | 'logs'>): JsonText {
  if (!report.isArray('logs', { nullable: true })) return 'null';
  const { scan, problems } = report;
  const lines: string[] = [];
  const readLine = (members: Members<LogField>): void => {
    for (const name of ['level', 'message', 'source'] as const)
      if (members.has(name) && members.kind(name) !== 'string') members.wrong(name, 'a string');
    if (members.has('file') && members.kind('file') !== 'null' && members.kind('file') !== 'string')
      members.wrong('file', 'a string or null');
    checkLine(members);
    checkTags(members);
    checkTime(members);
    if (!problems.any)
      lines.push(
        `{${order.map((name) => `"${name}":${rewrite(scan.text, members.start(name), plainStyle)}`).join(',')}}`,
      );
  };
  readObjects(report, 'logs', logShape, readLine, 'logs');
  return `[${lines.join(',')}]`;
}

function checkLine(members: Members<LogField>): void {
  const kind = members.kind('line');
  if (kind === undefined || kind === 'null' || (kind === 'number' && isInteger(members.raw('line')))) return;
  members.wrong('line', 'an integer or null');
}

function checkTags(members: Members<LogField>): void {
  if (!members.isArray('tags', { nullable: true, of: ' of strings' })) return;
  const { scan } = members;
  eachElement(scan, members.start('tags'), (pos) => {
    if (kindAt(scan.text, pos) !== 'string')
      members.wrong('tags', 'an array of strings or null', 'one with other elements');
    return scan.skip(pos);
  });
}

function checkTime(members: Members<LogField>): void {
  const kind = members.kind('time');
  if (kind === undefined) return;
  const text = kind === 'string' ? members.text('time') : '';
  if (readStrictTime(text) === undefined)
    members.wrong('time', 'an ISO 8601 time with an offset', kind === 'string' ? quoted(text) : undefined);
}
