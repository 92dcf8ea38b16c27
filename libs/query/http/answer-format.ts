import { acceptsJson, jsonType, requireJsonAccepted } from '#http';
import type { Language } from '../operators/language';
import type { AnswerFormat } from './format-parameter';
import { csvText, listText, ndjsonText } from './rows-text';

type Rows = AsyncIterable<string[]>;

export const answerFormats = {
  json: { type: jsonType, write: (rows: Rows, pretty: boolean) => listText(rows, pretty) },
  ndjson: { type: 'application/x-ndjson;charset=utf-8', write: (rows: Rows) => ndjsonText(rows) },
  csv: { type: 'text/csv;charset=utf-8', write: (rows: Rows) => csvText(rows) },
  spreadsheet: { type: 'text/csv;charset=utf-8', write: (rows: Rows) => csvText(rows, true) },
} satisfies Record<AnswerFormat, unknown>;

const accepted: ReadonlyMap<string, AnswerFormat> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['text/csv', 'csv'],
]);

/**
 * Returns `json` if the Accept header permits JSON, otherwise the first known format in the header. Only answers with
 * rows (`isList`) have other formats. Throws `http.not-acceptable` (406) if the header permits no known format.
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
