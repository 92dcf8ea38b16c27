import { excerpt } from '#fault';
import { malformed } from '../ast/malformed';
import type { RequestParameters } from './request-parameters';

/** `spreadsheet` is CSV in which a spreadsheet program runs no text as a formula. */
const formats = ['json', 'ndjson', 'csv', 'spreadsheet'] as const;

export type AnswerFormat = (typeof formats)[number];

/** Throws `query.parameter` if the format is unknown, or if another parameter requires JSON. */
export function readFormat(parameters: RequestParameters): AnswerFormat | undefined {
  const text = parameters.text('format');
  if (text === undefined) return undefined;
  const format = formats.find((one) => one === text);
  if (format === undefined)
    throw malformed(
      'parameter',
      `Illegal value '${excerpt(text)}' for :format; expected one of ${formats.join(', ')}.`,
    );
  for (const other of ['pretty', 'explain', 'ast_only'])
    if (format !== 'json' && parameters.has(other))
      throw malformed('parameter', `The parameter '${other}' requires the format json, not ${format}.`);
  return format;
}
