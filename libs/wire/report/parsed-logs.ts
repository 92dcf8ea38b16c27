import type { JsonText } from '../documents';
import type { Members } from '../check/members';
import { readStrictTime } from '../check/times';
import { isObjectOf, isPlainInteger, isText, isTextOrNull, isTexts, parsedElements } from './parsed-elements';

/**
 * Returns the text of `logs` if all lines have the form that agents send: the members in `names`, and plain values.
 * Returns undefined if `readAnyLogs` must read them.
 */
export function parsedLogs<K extends string>(
  report: Members<K | 'logs'>,
  names: readonly string[],
): JsonText | undefined {
  const elements = parsedElements(report, 'logs');
  if (elements === undefined || elements.length > report.scan.limits.logs) return undefined;
  const lines: object[] = [];
  for (const element of elements) {
    if (!isObjectOf(element, names)) return undefined;
    const { file, line, tags, time, level, source, message } = element;
    if (!isTextOrNull(file) || !(line === null || isPlainInteger(line)) || !(tags === null || isTexts(tags)))
      return undefined;
    if (!isText(level) || !isText(source) || !isText(message)) return undefined;
    if (!isText(time) || readStrictTime(time) === undefined) return undefined;
    lines.push({ file, line, tags, time, level, source, message });
  }
  return JSON.stringify(lines);
}
