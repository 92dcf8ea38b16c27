import { type LimitName, type Limits, overLimit } from '#limits';
import { type JsonScan, maxDepth } from '../json/scan';

/**
 * For each level of the measured value: whether it is a map, and the number of characters of the path so far. Only one
 * value is measured at a time.
 */
const inMap = new Uint8Array(maxDepth + 1);
const pathCharacters = new Int32Array(maxDepth + 1);

/**
 * Measures the facts of a node before anything is made from them, because a short text can represent many leaves with
 * long paths. An empty map or list counts as a leaf. Values of repeated keys count, too, so that only the text decides.
 */
export class FactSize {
  leaves = 0;
  pathElements = 0;
  pathCharacters = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * Adds the value of the fact `name` at `start` of a checked text, and returns the offset after it. Takes time in
   * proportion to the value's text. Throws the fault `wire.limit` as soon as a limit is exceeded.
   */
  add(scan: JsonScan, start: number, name: string): number {
    const { text } = scan;
    let depth = 0;
    pathCharacters[0] = name.length;
    const enter = (pos: number): number => {
      if (inMap[depth] === 0) {
        pathCharacters[depth] = pathCharacters[depth - 1]! + 1;
        return pos;
      }
      const keyEnd = scan.string(pos);
      pathCharacters[depth] = pathCharacters[depth - 1]! + keyEnd - pos - 1;
      return scan.space(scan.colon(keyEnd));
    };
    for (let pos = start; ;) {
      const c = text.charCodeAt(pos);
      if (c === 0x7b || c === 0x5b) {
        const inside = scan.space(pos + 1);
        // The code of the closing character is the code of the opening one plus 2, for both kinds.
        if (text.charCodeAt(inside) !== c + 2) {
          inMap[++depth] = c === 0x7b ? 1 : 0;
          pos = enter(inside);
          continue;
        }
        pos = inside + 1;
      } else pos = scan.skip(pos);
      this.count(depth);
      for (;;) {
        if (depth === 0) return pos;
        pos = scan.space(pos);
        if (text.charCodeAt(pos++) === 0x2c) {
          pos = enter(scan.space(pos));
          break;
        }
        depth--;
      }
    }
  }

  private count(depth: number): void {
    this.leaves++;
    this.pathElements += depth + 1;
    this.pathCharacters += pathCharacters[depth]!;
    if (this.leaves > this.limits.factLeaves) throw this.over('factLeaves');
    if (this.pathElements > this.limits.factPathElements) throw this.over('factPathElements');
    if (this.pathCharacters > this.limits.factPathCharacters) throw this.over('factPathCharacters');
  }

  private over(name: LimitName): Error {
    return overLimit(this.limits, name);
  }
}
