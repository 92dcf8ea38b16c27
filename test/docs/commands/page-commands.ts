/**
 * Reads the commands of the pages. A fenced block without a language, or with `sh`, contains only commands. Answers and
 * queries have a language, such as `text` or `json`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

export interface Page {
  /** docs/backup.md */
  readonly name: string;
  readonly text: string;
}

export interface Block {
  readonly page: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  /** Empty if the block has no language. */
  readonly language: string;
  readonly lines: readonly string[];
}

export interface PageCommand {
  readonly page: string;
  readonly line: number;
  /** As on the page, in one or several lines. */
  readonly text: string;
  /** The `cd` and `export` commands before it in the same block. */
  readonly before: readonly PageCommand[];
}

/** README.md, CONTRIBUTING.md and docs/*.md. */
export function readPages(): Page[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const names = ['README.md', 'CONTRIBUTING.md', ...docs.sort().map((name) => `docs/${name}`)];
  return names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

export function blocksOf({ name, text }: Page): Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly language: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line.trimEnd());
    else if (open === undefined) open = { line: index + 1, language: fence[1] ?? '', lines: [] };
    else {
      blocks.push({ page: name, ...open });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${name}:${open.line}: the block has no end`);
  return blocks;
}

/** A command goes on after a backslash at the end of a line, and inside quotes. */
function goesOn(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'") {
      if (at === text.length - 1) return true;
      at++;
    } else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (char === quote) quote = '';
  }
  return quote !== '';
}

const isContext = ({ text }: PageCommand): boolean => /^(cd|export) /.test(text);

export function commandsOf({ page, line, language, lines }: Block): PageCommand[] {
  if (!['', 'sh'].includes(language)) return [];
  const commands: PageCommand[] = [];
  let text = '';
  let from = 0;
  for (const [index, part] of lines.entries()) {
    if (text === '') from = line + 1 + index;
    text = text === '' ? part.trimStart() : `${text}\n${part}`;
    if (text === '' || goesOn(text)) continue;
    const before = commands.filter(isContext);
    commands.push({ page, line: from, text, before });
    text = '';
  }
  if (text !== '') throw new Error(`${page}:${from}: the command has no end`);
  return commands;
}

export const allCommands = (): PageCommand[] => readPages().flatMap(blocksOf).flatMap(commandsOf);
