import { type IdentifiedTags, identifyTags } from '../identity/resource';
import { ownCopy } from '../own-copies';

const mostLists = 2_000;
/** Characters of a list as it was sent. */
const longestList = 1_000;

/**
 * Lists of tags that were checked, by their text: most resources of a class have the same tags. Emptied when it is full: a memory,
 * not a store.
 */
export class KnownTags {
  private readonly lists = new Map<string, IdentifiedTags>();

  /** The list that stands in a document like this, if it is remembered. */
  get(raw: string): IdentifiedTags | undefined {
    return this.lists.get(raw);
  }

  /** Remembers a list without mistakes. */
  add(raw: string, tags: readonly string[]): IdentifiedTags {
    if (raw.length > longestList) return identifyTags(tags);
    if (this.lists.size >= mostLists) this.lists.clear();
    // Copies: a slice would keep the text that it was cut from in memory.
    const known = identifyTags(JSON.parse(JSON.stringify(tags)) as string[]);
    this.lists.set(ownCopy(raw), known);
    return known;
  }
}
