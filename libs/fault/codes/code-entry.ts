/**
 * Where an error appears. A number is the HTTP status of a response. `dead letter`: in the exception of a dead letter.
 * `start`: in the output of a service that does not start. `service log`: in the log and in the status of the service.
 */
export type Surface = number | 'dead letter' | 'start' | 'command line' | 'service log';

export interface CodeEntry {
  readonly shows: readonly Surface[];
  readonly meaning: string;
  readonly remedy: string;
}

/** The type of this function makes the compiler check the entries and keep the codes as literal types. */
export const codeTable = <Code extends string>(
  table: Readonly<Record<Code, CodeEntry>>,
): Readonly<Record<Code, CodeEntry>> => table;
