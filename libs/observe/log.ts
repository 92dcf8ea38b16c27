import { pino, type DestinationStream, type Logger } from 'pino';
import { errorFields } from './error-fields';
import { LineForm } from './line-form';

export type Log = Logger;

interface LogOptions {
  readonly level: string;
  /** Default: standard error, with readable lines on a terminal, and otherwise JSON lines. */
  readonly destination?: DestinationStream;
}

/** Callers must log only ids, counts and times, and never a payload, a body, or values from a query. */
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
