/**
 * Where an error appears. A number is the HTTP status of the response. `dead letter` is the exception of a dead letter.
 * `start` is the output of a service that does not start. `service log` is the log and the status of the service.
 */
export type Surface = number | 'dead letter' | 'start' | 'command line' | 'service log';

export interface CodeEntry {
  readonly shows: readonly Surface[];
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * Returns the table unchanged. Because of this function's type, the compiler checks the entries and keeps the codes as
 * literal types.
 */
export const codeTable = <Code extends string>(
  table: Readonly<Record<Code, CodeEntry>>,
): Readonly<Record<Code, CodeEntry>> => table;
