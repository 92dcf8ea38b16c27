import { isFault } from '#fault';
import type { TaskOptions } from '#threads';
import { type QueryOptions, settingsOf } from '../run/query-options';
import { matchRoute } from './match-route';
import { RequestCompiler } from './request-compiler';

/** `line` and `column` count from 1, and are null if the position is unknown. */
export interface QueryMistake {
  readonly line: number | null;
  readonly column: number | null;
  /** Number of characters in the word at the position, or 0 if the position is unknown. */
  readonly length: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly instead: string | null;
}

const root = matchRoute('')!;
const word = /[\w.?-]+|\S/y;

export class QueryChecker {
  private readonly compiler = new RequestCompiler();

  constructor(private readonly options: QueryOptions) {}

  async mistakeIn(query: string, client: TaskOptions): Promise<QueryMistake | undefined> {
    const body = Buffer.from(JSON.stringify({ query }));
    try {
      await this.compiler.compile({ match: root, url: '', body, settings: settingsOf(this.options) }, client);
      return undefined;
    } catch (error) {
      if (!isFault(error) || error.kind !== 'malformed') throw error;
      const { line, column, nearest } = detailsOf(error.details);
      return {
        line,
        column,
        length: line === null || column === null ? 0 : lengthAt(query, line, column),
        code: error.code,
        message: error.message,
        hint: error.hint ?? null,
        instead: nearest,
      };
    }
  }

  close(): Promise<void> {
    return this.compiler.onModuleDestroy();
  }
}

function detailsOf(details: unknown): { line: number | null; column: number | null; nearest: string | null } {
  const { line, column, nearest } = (details ?? {}) as Record<string, unknown>;
  return {
    line: typeof line === 'number' ? line : null,
    column: typeof column === 'number' ? column : null,
    nearest: typeof nearest === 'string' ? nearest : null,
  };
}

function lengthAt(query: string, line: number, column: number): number {
  const text = query.split('\n')[line - 1] ?? '';
  word.lastIndex = column - 1;
  return word.exec(text)?.[0].length ?? 0;
}
