/**
 * Place where an error appears. A number is the HTTP status of an answer. `dead letter` is the exception in a dead
 * letter. `start` is the output of a service that does not start. `command line` is the output of a command. `service
 * log` is the log and the status of the service.
 */
export type Surface = number | 'dead letter' | 'start' | 'command line' | 'service log';

export interface CodeEntry {
  readonly shows: readonly Surface[];
  /** Cause of the error, in one or two sentences. */
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * Returns `table` unchanged. The type of this function makes the compiler check the entries and keep the codes as
 * literal types.
 */
export const codeTable = <Code extends string>(
  table: Readonly<Record<Code, CodeEntry>>,
): Readonly<Record<Code, CodeEntry>> => table;
