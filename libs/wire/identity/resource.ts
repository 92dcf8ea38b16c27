import type { JsonText } from '../documents';
import { spellUuid } from '../check/uuids';
import { inSetOrder } from './tag-order';
import { sha1 } from './sha1';

interface ResourceIdentity {
  readonly type: JsonText;
  readonly title: JsonText;
  readonly exported: boolean;
  /** Undefined if the document does not have the member. This also applies to `line` and `parameters`. */
  readonly file: JsonText | undefined;
  readonly line: JsonText | undefined;
  /** Canonical JSON text. An absent member counts as null in the hash. */
  readonly parameters: JsonText | undefined;
  readonly tags: IdentifiedTags;
}

export interface IdentifiedTags {
  readonly tags: readonly string[];
  readonly asSent: JsonText;
  readonly inSetOrder: JsonText;
}

/** The tags must be distinct, and must contain only letters, digits and `_ : . -`. */
export const identifyTags = (tags: readonly string[]): IdentifiedTags => ({
  tags,
  asSent: quoteTags(tags),
  inSetOrder: quoteTags(inSetOrder(tags)),
});

interface ResourceIdentities {
  readonly hash: string;
  readonly content: string;
  readonly canonical: JsonText;
}

export function identifyResource(resource: ResourceIdentity): ResourceIdentities {
  const { type, title, exported, file, line, parameters, tags } = resource;
  const hash = sha1(`[${type},${title},${parameters ?? 'null'}]`);
  const rest = `${file ?? 'null'},${line ?? 'null'}`;
  // The cache keeps this text. `join` makes one flat string, which takes less memory than the tree of parts that `+`
  // makes.
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
