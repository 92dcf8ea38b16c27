/**
 * recorded-pages.txt: the pages of dashboards with the reference (PuppetDB 7.12.1) after the commands of
 * site-commands.ts. Of long pages, it has the first lines and a digest of the whole page.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(__dirname, 'recorded-pages.txt');
/** Number of pages of a shape in both crawls that are compared. */
export const recordedPerShape = 5;
const longest = 40;
const kept = 8;
const widest = 400;

export type Texts = ReadonlyMap<string, readonly string[]>;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const narrow = (line: string): string => (line.length <= widest ? line : `${line.slice(0, 200)} … ${digest(line)}`);

/** The form in which pages are recorded and compared. */
export function shortened(texts: Texts): Map<string, string[]> {
  return new Map(
    [...texts].map(([name, lines]) => {
      const short = lines.map(narrow);
      if (lines.length <= longest) return [name, short];
      return [name, [...short.slice(0, kept), `… ${lines.length} lines, ${digest(lines.join('\n'))}`]];
    }),
  );
}

export function writeRecording(texts: Texts): void {
  const pages = [...shortened(texts)].map(([name, lines]) => [`== ${name}`, ...lines.map((line) => `  ${line}`)]);
  writeFileSync(file, `${pages.flat().join('\n')}\n`);
}

export function readRecording(): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    if (line.startsWith('== ')) texts.set(line.slice(3), (lines = []));
    else lines.push(line.slice(2));
  }
  return texts;
}
