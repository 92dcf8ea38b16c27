/**
 * Where a code shows up: a number is the status of an answer; `dead letter` the exception of a rejected command; `start`
 * the last lines of a service that does not start; `service log` its log lines and its status.
 */
export type Place = number | 'dead letter' | 'start' | 'command line' | 'service log';

/** What docs/errors.md says about one code. */
export interface CodeEntry {
  readonly shows: readonly Place[];
  /** One sentence. */
  readonly meaning: string;
  /** What the reader can do about it. */
  readonly remedy: string;
}

/** Checks the entries of a table and keeps its keys. */
export const codeTable = <Code extends string>(
  table: Readonly<Record<Code, CodeEntry>>,
): Readonly<Record<Code, CodeEntry>> => table;
