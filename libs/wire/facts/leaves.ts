import type { FactLeaf, JsonText, LeafType, PathElement } from '../documents';
import { kindAt } from '../check/members';
import { eachElement } from '../check/elements';
import { isInteger, spellNumber, spellNumberInAnswers, spellNumberPlain } from '../json/numbers';
import { rewrite, storedStyle } from '../json/rewrite';
import { JsonScan } from '../json/scan';
import { decodeString } from '../json/strings';

/** The leaves of a fact's checked value, in document order; of equal keys the last counts. */
export function leavesOf(name: string, raw: JsonText): FactLeaf[] {
  const walk = new LeafWalk(new JsonScan(raw));
  walk.value(0, [name]);
  return walk.leaves.filter((leaf) => leaf !== undefined);
}

class LeafWalk {
  readonly leaves: (FactLeaf | undefined)[] = [];

  constructor(private readonly scan: JsonScan) {}

  /** Takes the value at `pos`; returns the offset behind it. */
  value(pos: number, path: PathElement[]): number {
    const { scan } = this;
    const kind = kindAt(scan.text, pos);
    if (kind === 'object') return this.object(pos, path);
    const end = scan.skip(pos);
    if (kind === 'array') {
      eachElement(scan, pos, (element, index) => this.below(element, path, index));
      return end;
    }
    const token = scan.text.slice(pos, end);
    const type: LeafType = kind === 'number' ? (isInteger(token) ? 'integer' : 'float') : kind;
    const value = kind === 'string' ? rewrite(token, 0, storedStyle) : kind === 'number' ? spellNumber(token) : token;
    this.leaves.push({ path: path.slice(), type, value, spelled: type === 'float' ? spelledApart(token) : undefined });
    return end;
  }

  private object(pos: number, path: PathElement[]): number {
    const { scan } = this;
    const { text } = scan;
    const firstLeaf = new Map<string, number>();
    pos = scan.space(pos + 1);
    if (text.charCodeAt(pos) === 0x7d) return pos + 1;
    for (;;) {
      const keyEnd = scan.string(pos);
      const key = decodeString(text.slice(pos + 1, keyEnd - 1));
      const earlier = firstLeaf.get(key);
      if (earlier !== undefined) this.forget(earlier, path.length, key);
      firstLeaf.set(key, this.leaves.length);
      pos = scan.space(this.below(scan.space(scan.colon(keyEnd)), path, key));
      if (text.charCodeAt(pos) === 0x7d) return pos + 1;
      pos = scan.space(pos + 1);
    }
  }

  private below(pos: number, path: PathElement[], element: PathElement): number {
    path.push(element);
    const end = this.value(pos, path);
    path.pop();
    return end;
  }

  /** Takes the leaves of a key back that is given again. They stand together, from `from` on. */
  private forget(from: number, depth: number, key: string): void {
    for (
      let i = from;
      i < this.leaves.length && (this.leaves[i] === undefined || this.leaves[i]!.path[depth] === key);
      i++
    )
      this.leaves[i] = undefined;
  }
}

function spelledApart(number: string): string | undefined {
  const spelled = spellNumberInAnswers(number);
  return spelled === spellNumberPlain(number) ? undefined : spelled;
}
