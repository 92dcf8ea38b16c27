/** A text with characters of its own: a slice keeps the whole text that it was cut from in memory. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();

const mostCopies = 2_000;
/** Longer texts are rare, and many of them would fill the memory. */
const longestKept = 400;

/** Copies of texts that come again and again. Emptied when it is full: a memory, not a store. */
export class OwnCopies {
  private readonly copies = new Map<string, string>();

  get size(): number {
    return this.copies.size;
  }

  copy(text: string): string {
    if (text.length > longestKept) return ownCopy(text);
    const known = this.copies.get(text);
    if (known !== undefined) return known;
    if (this.copies.size >= mostCopies) this.copies.clear();
    const made = ownCopy(text);
    this.copies.set(made, made);
    return made;
  }
}
