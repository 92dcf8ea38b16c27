import { pino, type DestinationStream, type Logger } from 'pino';
import { errorFields } from './error-fields';
import { LineForm } from './line-form';

/** What the rest of the service logs with. */
export type Log = Logger;

interface LogOptions {
  /** pino's names, or `silent`. */
  readonly level: string;
  /** Default: standard error, as JSON lines, or as plain lines where that is a terminal. */
  readonly destination?: DestinationStream;
}

/** A logger. Fields are for ids, counts and times: never pass it a payload, a request body or a query's values. */
export function openLog({ level, destination }: LogOptions): Log {
  const to =
    destination ?? (process.stderr.isTTY ? new LineForm(process.stderr) : pino.destination({ dest: 2, sync: true }));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    to,
  );
}
