import { overLimit } from '#limits';
import { type AstJson, bindPlanIndependent, stringifyAst } from '#query';
import type { RowReader } from '../reading/change-tables';
import { boundedRows, type DiffColumns, type DiffPart } from './diff-part';
import type { DiffRequest } from './diff-request';
import { patchOf } from './json-patch';
import { readSide, type Side } from './side';
import { jsonObject } from './show-change';

export interface PartDifference<Row = unknown> {
  readonly part: Pick<DiffPart<Row>, 'name' | 'items' | 'patch' | 'lines'>;
  readonly rows: readonly Row[];
}

interface Named {
  readonly json: AstJson;
  readonly text: string;
}

export interface Difference {
  readonly a: Named;
  readonly b: Named;
  readonly parts: readonly PartDifference[];
}

/** Throws the faults of `readSide` and `readParts`. */
export async function readDifference({ a, b, parts }: DiffRequest, reader: RowReader): Promise<Difference> {
  const sides = [await readSide(a, reader), await readSide(b, reader)] as const;
  return { a: nameOfSide(sides[0]), b: nameOfSide(sides[1]), parts: await readParts(parts, ...sides, reader) };
}

/** Compares two states, part by part. Throws `query.limit` if the differences in a part have too many characters. */
export async function readParts<Compared>(
  parts: readonly DiffPart<unknown, Compared>[],
  a: Compared,
  b: Compared,
  reader: RowReader,
): Promise<readonly PartDifference[]> {
  const { limits } = reader;
  const { changeCharacters } = limits;
  const most = bindPlanIndependent(String(mostBytesOfCharacter * changeCharacters), 'bigint');
  const found: PartDifference[] = [];
  for (const part of parts) {
    const rows: unknown[] = [];
    let characters = 0;
    for await (const texts of reader.rows(boundedRows(part.statement(a, b), most)))
      for (const text of texts) {
        characters += text.length;
        if (text === '' || characters > changeCharacters) throw overLimit(limits, 'changeCharacters');
        rows.push(part.read(JSON.parse(text) as DiffColumns));
      }
    found.push({ part, rows });
  }
  return found;
}

const mostBytesOfCharacter = 4;

const nameOfSide = ({ certname, asOf }: Side): Named => ({
  json: jsonObject({ certname, as_of: asOf?.name ?? null, time: asOf?.time ?? null }),
  text: `${certname} ${asOf === undefined ? 'now' : `as of ${asOf.time}`}`,
});

export const differenceJson = ({ a, b, parts }: Difference): string => {
  const lists = parts.map(
    ({ part, rows }) => `,${JSON.stringify(part.name)}:[${rows.flatMap((row) => part.items(row)).join(',')}]`,
  );
  return `${stringifyAst(jsonObject({ a: a.json, b: b.json })).slice(0, -1)}${lists.join('')}}`;
};

/** Returns a JSON Patch for a document with one member for each compared part, such as `facts`. */
export const differencePatch = ({ parts }: Difference): AstJson =>
  parts.flatMap(({ part, rows }) =>
    patchOf(part.patch(rows).map((change) => ({ ...change, path: [part.name, ...change.path] }))),
  );

/** Returns text for people. After indentation, each line about a change begins with `+`, `-` or `~`. */
export function differenceText({ a, b, parts }: Difference): string {
  const blocks = parts.flatMap(({ part, rows }) => {
    const lines = rows.flatMap((row) => part.lines(row));
    return lines.length === 0 ? [] : [`${part.name}\n${lines.map((line) => `${withoutControls(line)}\n`).join('')}`];
  });
  const equal = parts.filter((_, index) => parts[index]!.rows.length === 0).map(({ part }) => part.name);
  if (equal.length > 0) blocks.push(`no difference in ${equal.join(', ')}\n`);
  return [`--- ${withoutControls(a.text)}\n+++ ${withoutControls(b.text)}\n`, ...blocks].join('\n');
}

/** Escapes control characters, because they could change the terminal or hide text. */
const withoutControls = (line: string): string =>
  line.replaceAll(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
