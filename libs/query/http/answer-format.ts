import { excerpt, Fault } from '#fault';
import { acceptsJson, jsonType, requireJsonAccepted } from '#http';
import type { Language } from '../operators/language';
import type { RequestParameters } from './request-parameters';
import { csvText, listText, ndjsonText } from './rows-text';

type Rows = AsyncIterable<string[]>;

/** How the rows of a list are written. */
export const answerFormats = {
  json: { type: jsonType, write: (rows: Rows, pretty: boolean) => listText(rows, pretty) },
  ndjson: { type: 'application/x-ndjson;charset=utf-8', write: (rows: Rows) => ndjsonText(rows) },
  csv: { type: 'text/csv;charset=utf-8', write: (rows: Rows) => csvText(rows) },
  /** CSV without formulas. */
  spreadsheet: { type: 'text/csv;charset=utf-8', write: (rows: Rows) => csvText(rows, true) },
} as const;

export type AnswerFormat = keyof typeof answerFormats;

const accepted: ReadonlyMap<string, AnswerFormat> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['text/csv', 'csv'],
]);

/**
 * The format that an Accept header asks for: JSON wherever it admits JSON, else the first that it names. `isList`: the answer
 * has rows. Fault: `http.not-acceptable` (406).
 */
export function acceptedFormat(accept: string | undefined, isList: boolean, language: Language): AnswerFormat {
  if (accept !== undefined && isList && language.has('formats') && !acceptsJson(accept)) {
    for (const range of accept.split(',')) {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const format = accepted.get(type);
      if (format !== undefined && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))) return format;
    }
  }
  requireJsonAccepted(accept);
  return 'json';
}

/** The parameter `format`; undefined without it. Fault: `query.parameter`. */
export function readFormat(parameters: RequestParameters): AnswerFormat | undefined {
  const text = parameters.text('format');
  if (text === undefined) return undefined;
  const format = Object.keys(answerFormats).find((one): one is AnswerFormat => one === text);
  if (format === undefined)
    throw new Fault(
      'malformed',
      'query.parameter',
      `Illegal value '${excerpt(text)}' for :format; expected one of ${Object.keys(answerFormats).join(', ')}.`,
    );
  for (const other of ['pretty', 'explain', 'ast_only'])
    if (format !== 'json' && parameters.has(other))
      throw new Fault(
        'malformed',
        'query.parameter',
        `The parameter '${other}' requires the format json, not ${format}.`,
      );
  return format;
}
