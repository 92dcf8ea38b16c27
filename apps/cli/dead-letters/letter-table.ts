import type { Letter } from '#admin';
import { columns } from '../columns';
import { onOneLine } from '../on-one-line';

export interface LetterPage {
  readonly total: number;
  readonly offset: number;
  readonly letters: readonly Letter[];
}

const titles = ['NAME', 'REJECTED', 'COMMAND', 'CERTNAME', 'ATTEMPTS', 'ERROR'];
const longestCertname = 40;
const leastErrorWidth = 20;

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

export function letterTable({ total, offset, letters }: LetterPage, width = 120): string {
  if (total === 0) return 'no dead letters\n';
  const rows = letters.map((letter) => [
    letter.name,
    letter.last_rejected_at.replace(/\.\d+Z$/, 'Z'),
    onOneLine(letter.command),
    cut(onOneLine(letter.certname), width === Infinity ? Infinity : longestCertname),
    String(letter.attempts),
    onOneLine(letter.error),
  ]);
  const before = columns([titles, ...rows].map((row) => [...row.slice(0, -1), '|'])).indexOf('|');
  const errorWidth = Math.max(leastErrorWidth, width - before);
  const lines = columns([titles, ...rows.map((row) => [...row.slice(0, -1), cut(row.at(-1) ?? '', errorWidth)])]);
  const shown =
    letters.length === total
      ? `${total} in all`
      : letters.length === 0
        ? `none from ${offset} on, ${total} in all`
        : `${offset + 1} to ${offset + letters.length} of ${total}`;
  return `${lines}${shown}\n`;
}

export function letterDetails(letter: Letter): string {
  const rows: [string, string][] = [
    ['name', letter.name],
    ['uuid', letter.uuid],
    ['command', `${letter.command}, version ${letter.version}`],
    ['certname', letter.certname],
    ['received', letter.received_at],
    ['rejected', letter.rejected_at],
    ['attempts', attemptsOf(letter)],
    ['payload', `${letter.payload_bytes} bytes${letter.encoding === 'gzip' ? ', gzip' : ''}`],
    ...Object.entries(letter.headers).map(([name, value]): [string, string] => [name, value]),
    ['error', letter.error],
    ['exception', letter.exception],
  ];
  return columns(rows.map((row) => row.map(onOneLine)));
}

function attemptsOf({ attempts, last_rejected_at, retried_at }: Letter): string {
  const last = attempts > 1 ? `, rejected last ${last_rejected_at}` : '';
  return `${attempts}${last}${retried_at === null ? '' : `, retried ${retried_at}`}`;
}
