import type { DestinationStream } from 'pino';

const names: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

interface Entry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

// Clients choose certnames and names in certificates. A control character in such a name could control the operator's
// terminal.
const controls = /[\u0000-\u001f\u007f-\u009f]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const onOneLine = (text: string): string => text.replace(controls, escaped);
const inLines = (text: string): string => text.split('\n').map(onOneLine).join('\n');

/** Writes readable lines, such as `12:30:05 warn text (key=value)`. A stack follows in separate lines. */
export class LineForm implements DestinationStream {
  constructor(private readonly out: { write(text: string): unknown }) {}

  write(line: string): void {
    const { level, time, msg, err, ...fields } = JSON.parse(line) as Entry & Record<string, unknown>;
    const shown = Object.entries(fields).map(
      ([key, value]) => `${key}=${onOneLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    const text = inLines([msg, err?.message].filter((part) => part !== undefined).join(': '));
    this.out.write(
      `${time.slice(11, 19)} ${(names[level] ?? String(level)).padEnd(5)} ${text}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}\n` +
        (err?.stack === undefined ? '' : `${inLines(err.stack)}\n`),
    );
  }
}
