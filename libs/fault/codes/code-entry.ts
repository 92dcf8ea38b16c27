/**
 * Where the error appears: in an answer with this status, in the exception of a dead letter (`dead letter`), in the last
 * lines of a service that does not start (`start`), or in the log and the status of the service (`service log`).
 */
export type Surface = number | 'dead letter' | 'start' | 'command line' | 'service log';

/** An error code in docs/errors.md. */
export interface CodeEntry {
  readonly shows: readonly Surface[];
  /** The cause, in one or two sentences. */
  readonly meaning: string;
  /** What the reader can do. */
  readonly remedy: string;
}

/** Checks the types of the entries, and keeps the codes as a type. */
export const codeTable = <Code extends string>(
  table: Readonly<Record<Code, CodeEntry>>,
): Readonly<Record<Code, CodeEntry>> => table;
