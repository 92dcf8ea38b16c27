import type { JsonText } from '../documents';
import { readObjects } from '../check/elements';
import type { Members } from '../check/members';
import { shape } from '../check/shape';
import { encodeString } from '../json/strings';
import { lineNumber, oneOf, sentTime, stringList } from './field-checks';

const levels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'];
const log = shape(['level', 'message', 'source', 'tags', 'time'] as const, ['file', 'line'] as const);

export function agentLogs<K extends string>(report: Members<K | 'logs'>): JsonText {
  if (!report.isArray('logs')) return '[]';
  const readLine = (members: Members<(typeof log.names)[number]>): JsonText => {
    const file = members.textOrNull('file');
    return (
      `{"file":${file === null ? 'null' : encodeString(file)},"line":${lineNumber(members, 'line')},` +
      `"level":${encodeString(oneOf(members, 'level', levels))},"message":${encodeString(members.text('message'))},` +
      `"source":${encodeString(members.text('source'))},"tags":${stringList(members, 'tags')},` +
      `"time":${sentTime(members, 'time', '""')}}`
    );
  };
  return `[${readObjects(report, 'logs', log, readLine, 'logs').join(',')}]`;
}
