import type { JsonText } from '../documents';
import { spellUuid } from '../check/uuids';
import { encodeString } from '../json/strings';
import { inSetOrder } from './tag-order';
import { sha1 } from './sha1';

/** A resource as identities see it. */
export interface ResourceIdentity {
  readonly type: string;
  readonly title: string;
  readonly exported: boolean;
  /** JSON text; undefined where the document has no such member. */
  readonly file: JsonText | undefined;
  readonly line: JsonText | undefined;
  /** Canonical. Null and absent count as null. */
  readonly parameters: JsonText | undefined;
  readonly tags: readonly string[];
}

export interface ResourceIdentities {
  /** SHA-1 of `[type, title, parameters]`. */
  readonly hash: string;
  /** UUID of all of the resource. */
  readonly content: string;
  /** The resource's part of the catalog's canonical text. */
  readonly canonical: string;
}

export function identifyResource(resource: ResourceIdentity): ResourceIdentities {
  const { exported, file, line, parameters, tags } = resource;
  const type = encodeString(resource.type);
  const title = encodeString(resource.title);
  const hash = sha1(`[${type},${title},${parameters ?? 'null'}]`);
  const rest = `${file ?? 'null'},${line ?? 'null'}`;
  return {
    hash,
    content: spellUuid(sha1(`["${hash}",${exported},${rest},[${tags.map(encodeString).join(',')}]]`)),
    canonical:
      `{"exported":${exported},${file === undefined ? '' : `"file":${file},`}${line === undefined ? '' : `"line":${line},`}` +
      `${parameters === undefined ? '' : `"parameters":${parameters},`}"tags":[${inSetOrder(tags).map(encodeString).join(',')}],"title":${title},"type":${type}}`,
  };
}
