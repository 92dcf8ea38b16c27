import type { FactLeaf, JsonText, LeafType, PathElement } from '../documents';
import { eachElement, eachMember } from '../check/elements';
import { kindAt } from '../check/members';
import { isInteger, spellNumber, spellNumberInAnswers, spellNumberPlain } from '../json/numbers';
import { rewrite, storedStyle } from '../json/rewrite';
import { JsonScan } from '../json/scan';

/**
 * Yields the leaves of a fact in document order. The value must be valid JSON. If a key occurs several times, only its
 * last value has leaves. Creates the leaves one by one, because the paths of all leaves together can be much larger
 * than the text.
 */
export function* leavesOf(name: string, raw: JsonText): Generator<FactLeaf, void, undefined> {
  const kind = kindAt(raw, 0);
  if (kind !== 'object' && kind !== 'array') return yield leafAt({ element: name, above: undefined, depth: 1 }, raw);
  const walk = new LeafWalk(new JsonScan(raw));
  walk.value(walk.scan.space(0), { element: name, above: undefined, depth: 1 });
  for (let i = 0; i < walk.paths.length; i++) {
    const node = walk.paths[i];
    if (node !== undefined) yield leafAt(node, raw.slice(walk.starts[i], walk.ends[i]));
  }
}

interface PathNode {
  readonly element: PathElement;
  readonly above: PathNode | undefined;
  readonly depth: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function leafAt(node: PathNode, token: string): FactLeaf {
  const kind = kindAt(token, 0);
  const type: LeafType = kind === 'number' ? (isInteger(token) ? 'integer' : 'float') : (kind as LeafType);
  const value = kind === 'string' ? rewrite(token, 0, storedStyle) : kind === 'number' ? spellNumber(token) : token;
  return { path: pathOf(node), type, value, spelled: type === 'float' ? spelledApart(token) : undefined };
}

function pathOf(node: PathNode): PathElement[] {
  const path = new Array<PathElement>(node.depth);
  for (let at: PathNode | undefined = node; at !== undefined; at = at.above) path[at.depth - 1] = at.element;
  return path;
}

class LeafWalk {
  /** Undefined if the key of the scalar occurs again later. */
  readonly paths: (PathNode | undefined)[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  constructor(readonly scan: JsonScan) {}

  value(pos: number, node: PathNode): number {
    const { scan } = this;
    const first = scan.text.charCodeAt(pos);
    if (first === 0x7b) return this.map(pos, node);
    if (first === 0x5b) return this.list(pos, node);
    const end = scan.skip(pos);
    this.paths.push(node);
    this.starts.push(pos);
    this.ends.push(end);
    return end;
  }

  private list(pos: number, above: PathNode): number {
    const depth = above.depth + 1;
    return eachElement(this.scan, pos, (at, element) => this.value(at, { element, above, depth }));
  }

  private map(pos: number, above: PathNode): number {
    const depth = above.depth + 1;
    const met = new Map<string, Range>();
    return eachMember(this.scan, pos, (element, at) => {
      const earlier = met.get(element);
      if (earlier !== undefined) this.paths.fill(undefined, earlier.from, earlier.to);
      const from = this.paths.length;
      const end = this.value(at, { element, above, depth });
      met.set(element, { from, to: this.paths.length });
      return end;
    });
  }
}

function spelledApart(number: string): string | undefined {
  const spelled = spellNumberInAnswers(number);
  return spelled === spellNumberPlain(number) ? undefined : spelled;
}
