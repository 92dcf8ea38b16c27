import type { JsonText } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { shape } from '../check/shape';
import { encodeString } from '../json/strings';
import { lineNumber, oneOf, sentTime, stringList } from './field-checks';

const levels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'];
const log = shape(['level', 'message', 'source', 'tags', 'time'] as const, ['file', 'line'] as const);

/** Converts the `logs` of an agent's report to the form of `store report`. */
export function agentLogs<K extends string>(report: Members<K | 'logs'>): JsonText {
  const kind = report.kind('logs');
  if (kind !== 'array') {
    if (kind !== undefined) report.wrong('logs', 'an array');
    return '[]';
  }
  const members = new Members(report.scan, log, report.problems, 2);
  members.base = 'logs';
  const lines: string[] = [];
  const readNext = (pos: number, index: number): number => {
    members.index = index;
    const end = members.open(pos);
    const file = members.textOrNull('file');
    lines.push(
      `{"file":${file === null ? 'null' : encodeString(file)},"line":${lineNumber(members, 'line')},` +
        `"level":${encodeString(oneOf(members, 'level', levels))},"message":${encodeString(members.text('message'))},` +
        `"source":${encodeString(members.text('source'))},"tags":${stringList(members, 'tags')},` +
        `"time":${sentTime(members, 'time', '""')}}`,
    );
    return end;
  };
  eachElement(report.scan, report.start('logs'), readNext, 'logs');
  return `[${lines.join(',')}]`;
}
