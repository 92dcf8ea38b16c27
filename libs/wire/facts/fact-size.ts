import { type LimitName, type Limits, overLimit } from '#limits';
import { type JsonScan, maxDepth } from '../json/scan';

/**
 * For each level of a value: whether the level is a map, and the number of characters of the path. Both arrays are
 * shared, because only one value is measured at a time.
 */
const inMap = new Uint8Array(maxDepth + 1);
const pathCharacters = new Int32Array(maxDepth + 1);

/**
 * Measures the facts of a node before they are parsed, because a short text can represent many leaves with long paths.
 * An empty map or list counts as a leaf. If a key is repeated, all its values are measured, so that the size depends on
 * the text alone.
 */
export class FactSize {
  leaves = 0;
  pathElements = 0;
  pathCharacters = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * Returns the offset after the value at `start`. The value must be valid JSON. Takes linear time. Throws `wire.limit`
   * as soon as a limit is exceeded.
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
