import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { askService } from '../ask-service';
import { type ServiceFlags, withService } from '../http-client';
import { terminalWidth } from '../terminal-width';
import { rowTexts } from './row-texts';
import { type AsOfFlag, asOfParameter, warnOfRemoved, withAsOf } from './as-of';
import { forTerminal, type RowFormat, rowFormats, rowWriters } from './row-format';

export interface RowFlags extends ServiceFlags, AsOfFlag {
  readonly format?: RowFormat;
  readonly json?: true;
  readonly wide?: true;
}

export const withRowFlags = (command: Command): Command =>
  withAsOf(withService(command))
    .addOption(
      new Option('--format <format>', 'how to print rows; default: table on a terminal, json otherwise').choices(
        rowFormats,
      ),
    )
    .option('--json', 'the same as --format json')
    .option('--wide', 'do not cut the values of tables');

const widthWithoutTerminal = 500;

interface RowQuery {
  readonly query: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** Prints the rows as they arrive. Returns the number of rows. Throws the faults of `askService`. */
export async function printRows(query: RowQuery, flags: RowFlags): Promise<number> {
  const format = flags.json ? 'json' : (flags.format ?? (process.stdout.isTTY ? 'table' : 'json'));
  const body = JSON.stringify({ ...query, ...asOfParameter(flags) });
  const answer = await askService(flags, '/pdb/query/v4', { method: 'POST', body });
  warnOfRemoved(answer);
  const width = flags.wide ? Infinity : (terminalWidth() ?? widthWithoutTerminal);
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const row of answeredRows(answer)) {
      count++;
      yield row;
    }
  }
  for await (const text of rowWriters[format](counted(), { width })) {
    const shown = process.stdout.isTTY ? forTerminal(format, text) : text;
    if (!process.stdout.write(shown)) await once(process.stdout, 'drain');
  }
  return count;
}

export const answeredRows = (answer: Response): AsyncGenerator<string> => rowTexts(textOf(answer));

async function* textOf(answer: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) yield decoder.decode(chunk as Uint8Array, { stream: true });
}
