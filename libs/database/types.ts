import { types } from 'pg';
import { Fault } from '#fault';

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new Fault('broken', 'database.unsafe-integer', `the integer ${text} does not fit a JavaScript number`, {
      hint: 'Cast the column to text in the statement.',
    });
  }
  return value;
}

const asText = (text: string): string => text;

const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, integer],
  [types.builtins.DATE, asText],
  [types.builtins.TIMESTAMP, asText],
  [types.builtins.TIMESTAMPTZ, asText],
  [types.builtins.INTERVAL, asText],
  [types.builtins.JSON, asText],
  [types.builtins.JSONB, asText],
]);

/** Converts int8 to a number, and throws if no number represents the integer exactly. Times and JSON stay text. */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    const own = format === 'binary' ? undefined : parsers.get(oid);
    return own ?? (types.getTypeParser(oid, 'text') as (text: string) => unknown);
  },
};
