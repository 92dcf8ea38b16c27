import type { JsonText } from '../documents';
import { spellUuid } from '../check/uuids';
import { inSetOrder } from './tag-order';
import { sha1 } from './sha1';

/** A resource as identities see it. */
interface ResourceIdentity {
  /** JSON text, as `title`, `file` and `line`. */
  readonly type: JsonText;
  readonly title: JsonText;
  readonly exported: boolean;
  /** Undefined where the document has no such member; as `line` and `parameters`. */
  readonly file: JsonText | undefined;
  readonly line: JsonText | undefined;
  /** Canonical. Null and absent count as null. */
  readonly parameters: JsonText | undefined;
  readonly tags: IdentifiedTags;
}

/** The tags of a resource, and how identities spell them. */
export interface IdentifiedTags {
  readonly tags: readonly string[];
  readonly asSent: JsonText;
  readonly inSetOrder: JsonText;
}

/** `tags`: distinct, of letters, digits and `_ : . -` only. */
export const identifyTags = (tags: readonly string[]): IdentifiedTags => ({
  tags,
  asSent: quoteTags(tags),
  inSetOrder: quoteTags(inSetOrder(tags)),
});

interface ResourceIdentities {
  /** SHA-1 of `[type, title, parameters]`. */
  readonly hash: string;
  /** UUID of all of the resource. */
  readonly content: string;
  /** The resource's part of the catalog's canonical text. */
  readonly canonical: JsonText;
}

export function identifyResource(resource: ResourceIdentity): ResourceIdentities {
  const { type, title, exported, file, line, parameters, tags } = resource;
  const hash = sha1(`[${type},${title},${parameters ?? 'null'}]`);
  const rest = `${file ?? 'null'},${line ?? 'null'}`;
  // Joined, not concatenated: it is kept, and one flat string is smaller than the tree of its pieces.
  const canonical = [
    `{"exported":${exported},`,
    file === undefined ? '' : `"file":${file},`,
    line === undefined ? '' : `"line":${line},`,
    parameters === undefined ? '' : `"parameters":${parameters},`,
    `"tags":${tags.inSetOrder},"title":${title},"type":${type}}`,
  ].join('');
  return {
    hash,
    content: spellUuid(sha1(`["${hash}",${exported},${rest},${tags.asSent}]`)),
    canonical,
  };
}

const quoteTags = (tags: readonly string[]): string => (tags.length === 0 ? '[]' : `["${tags.join('","')}"]`);
