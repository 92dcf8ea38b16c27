/** Node.js decides whether the output shows colors, and respects NO_COLOR and FORCE_COLOR. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<string, Style>> = {
  failed: 'red',
  failure: 'red',
  error: 'red',
  err: 'red',
  crit: 'red',
  alert: 'red',
  emerg: 'red',
  critical: 'red',
  changed: 'yellow',
  warning: 'yellow',
  stopping: 'yellow',
  starting: 'yellow',
  running: 'green',
  ok: 'green',
};

const showsColors = (): boolean => process.stdout.isTTY && process.stdout.hasColors();

const inStyle = (style: Style, text: string): string =>
  showsColors() ? styleText(style, text, { validateStream: false }) : text;

export function paint(word: string, text = word): string {
  const style = styles[word.trim().toLowerCase()];
  return style === undefined ? text : inStyle(style, text);
}

export const paintTitle = (text: string): string => inStyle('bold', text);

const changeStyles: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '~': 'yellow' };

export function paintChange(line: string): string {
  if (/^(---|\+\+\+) /.test(line)) return paintTitle(line);
  const style = changeStyles[/^ *([-+~]) /.exec(line)?.[1] ?? ''];
  return style === undefined ? line : inStyle(style, line);
}
