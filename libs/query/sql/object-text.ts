import { bindPlanIndependent, comma, Fragment, join, sql } from './fragment';

export interface ObjectMember {
  readonly label: string;
  readonly value: Fragment;
  /**
   * SQL for the JSON text of the value, or SQL for each piece of this text. Must not return NULL. Absent if
   * `json_build_object` is as fast.
   */
  readonly text?: Fragment | readonly Fragment[] | undefined;
}

// PostgreSQL's functions take at most 100 arguments.
const pairsAtOnce = 45;

const plainLabel = /^[\w.?-]*$/;

export function objectText(members: readonly ObjectMember[]): Fragment {
  const isJoined =
    members.some(({ text }) => text !== undefined) && members.every(({ label }) => plainLabel.test(label));
  return isJoined ? joinedText(members) : builtText(members);
}

function builtText(members: readonly ObjectMember[]): Fragment {
  const parts: Fragment[] = [];
  for (let at = 0; at < members.length; at += pairsAtOnce) {
    const some = members.slice(at, at + pairsAtOnce);
    const pairs = some.map(({ label, value }) => sql`${bindPlanIndependent(label, 'text')}, ${value}`);
    parts.push(sql`json_build_object(${join(pairs, comma)})::text`);
  }
  const [first, ...rest] = parts;
  if (!first) return sql`'{}'`;
  return rest.reduce((left, right) => sql`"left"(${left}, -1) || ', ' || substr(${right}, 2)`, first);
}

/** Joins texts, because `json_build_object` is slower: it looks up the type of each value for each row. */
function joinedText(members: readonly ObjectMember[]): Fragment {
  const pieces = members.flatMap(({ label, value, text = sql`coalesce(to_json(${value})::text, 'null')` }, index) => [
    bindPlanIndependent(`${index === 0 ? '{' : ', '}"${label}" : `, 'text'),
    ...(text instanceof Fragment ? [text] : text),
  ]);
  return joinPieces([...pieces, sql`'}'`]);
}

/** SQL for a text that can have many kilobytes. */
class LongPiece extends Fragment {}

export const longPiece = (text: Fragment): Fragment => new LongPiece([text]);

/** Each `||` copies both sides, so short pieces are joined before they are joined with a long piece. */
export function joinPieces(pieces: readonly Fragment[]): Fragment {
  const parts: Fragment[] = [];
  let short: Fragment[] = [];
  for (const piece of pieces) {
    if (!(piece instanceof LongPiece)) {
      short.push(piece);
      continue;
    }
    if (short.length > 0) parts.push(inHalves(short));
    parts.push(piece);
    short = [];
  }
  return inHalves(short.length > 0 ? [...parts, inHalves(short)] : parts);
}

/** Splits a chain of `||` in halves, because PostgreSQL's parser recurses for each `||` of a chain. */
function inHalves(pieces: readonly Fragment[]): Fragment {
  const [first, ...others] = pieces;
  if (first === undefined) return sql`''`;
  if (others.length === 0) return first;
  const middle = pieces.length >> 1;
  return sql`(${inHalves(pieces.slice(0, middle))} || ${inHalves(pieces.slice(middle))})`;
}
