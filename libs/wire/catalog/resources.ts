import type { JsonText, WireResource } from '../documents';
import { eachElement, readStrings } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { type ResourceReference, resourceReference } from '../identity/catalog';
import { type IdentifiedTags, identifyResource, identifyTags } from '../identity/resource';
import { spellNumber } from '../json/numbers';
import { canonicalStyle, rewrite, storedStyle } from '../json/rewrite';
import { JsonScan, trait } from '../json/scan';
import { ownCopy } from '../own-copy';
import { ElementCache } from './element-cache';

export const resourceShape = shape(['type', 'title', 'exported', 'tags'], ['file', 'line', 'parameters'], {
  open: true,
});
type ResourceMembers = Members<'type' | 'title' | 'exported' | 'tags' | 'file' | 'line' | 'parameters'>;

const tag = /^[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_][\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_:.-]*$/u;
const usualTag = /^[a-z0-9_][a-z0-9_:.-]*$/;

interface IdentifiedResource {
  readonly reference: ResourceReference;
  readonly resource: WireResource;
  readonly canonical: JsonText;
}

const cache = new ElementCache<IdentifiedResource>(32 << 20);

interface CheckedResources {
  readonly resources: WireResource[];
  readonly references: ReadonlyMap<string, ResourceReference>;
  readonly canonical: JsonText[];
  readonly end: number;
}

export function readResources(scan: JsonScan, start: number, problems: Problems): CheckedResources {
  const members: ResourceMembers = new Members(scan, resourceShape, problems, 2);
  members.base = 'resources';
  const resources: WireResource[] = [];
  const found = new Map<string, IdentifiedResource>();
  const references = new Map<string, ResourceReference>();
  const read = cache.reader(scan, problems, (text) => {
    members.scan = new JsonScan(text, scan.limits);
    members.open(0);
    return readResource(members);
  });
  const end = eachElement(
    scan,
    start,
    (pos, index) => {
      members.index = index;
      const { value, end } = read(pos);
      const { reference, resource } = value;
      if (found.has(reference.key)) {
        const name = quoted(`${resource.type}[${resource.title}]`);
        problems.add(members.path(), 'a resource of its own', `${name} once more`);
      }
      found.set(reference.key, value);
      references.set(reference.key, reference);
      resources.push(resource);
      return end;
    },
    'resources',
  );
  const canonical = [...found.keys()].sort().map((key) => found.get(key)!.canonical);
  return { resources, references, canonical, end };
}

function readResource(members: ResourceMembers): IdentifiedResource {
  const type = members.text('type');
  const title = members.text('title');
  const exported = members.boolean('exported');
  const file = readFile(members);
  const line = readLine(members);
  const tags = readTags(members);
  const parameters = readParameters(members);
  const { hash, content, canonical } = identifyResource({
    type: members.canonicalText('type', type),
    title: members.canonicalText('title', title),
    exported,
    file: file.json,
    line: line.json,
    parameters: parameters.canonical,
    tags,
  });
  return {
    resource: {
      type,
      title,
      exported,
      file: file.value,
      line: line.value,
      tags: tags.tags,
      parameters: parameters.stored,
      hash,
      content,
    },
    // The cache of edges keeps these texts. Without copies, each text would keep the whole text of the resource in
    // memory.
    reference: resourceReference(ownCopy(type), ownCopy(title)),
    canonical,
  };
}

interface Field<T> {
  readonly value: T | null;
  readonly json: JsonText | undefined;
}

/** A number becomes its text, because PuppetDB stores `file` as text. */
function readFile(members: ResourceMembers): Field<string> {
  if (!members.has('file')) return { value: null, json: undefined };
  if (members.kind('file') === 'number') {
    const number = spellNumber(members.raw('file'));
    return { value: number, json: number };
  }
  const value = members.textOrNull('file');
  return { value, json: value === null ? 'null' : members.canonicalText('file', value) };
}

/** Rounds fractions as PostgreSQL rounds doubles: one half goes to the even neighbour. */
function readLine(members: ResourceMembers): Field<number> {
  const kind = members.kind('line');
  if (kind === undefined) return { value: null, json: undefined };
  if (kind === 'null') return { value: null, json: 'null' };
  const raw = members.raw('line');
  const number = Number(raw);
  const below = Math.floor(number);
  const value = number - below === 0.5 ? below + (below % 2 === 0 ? 0 : 1) : Math.round(number);
  if (kind !== 'number' || !(value >= -(2 ** 31) && value < 2 ** 31)) {
    members.wrong('line', 'an integer of 32 bits or null');
    return { value: null, json: 'null' };
  }
  return { value: value + 0, json: spellNumber(raw) };
}

function readTags(members: ResourceMembers): IdentifiedTags {
  if (!members.isArray('tags', { of: ' of strings' })) return identifyTags([]);
  const { scan, problems } = members;
  const tags = readStrings(scan, members.start('tags'), problems, () => members.path('tags'));
  for (const one of tags) {
    if (!usualTag.test(one) && !tag.test(one))
      problems.add(
        members.path('tags'),
        'tags of lower-case letters, digits, _ and, after the first, : . -',
        quoted(one),
      );
  }
  return identifyTags([...new Set(tags)]);
}

interface Parameters {
  readonly stored: JsonText;
  readonly canonical: JsonText | undefined;
}

function readParameters(members: ResourceMembers): Parameters {
  const kind = members.kind('parameters');
  if (kind !== 'object') {
    if (kind !== undefined && kind !== 'null') members.wrong('parameters', 'an object or null');
    return { stored: '{}', canonical: kind === undefined ? undefined : 'null' };
  }
  const { text } = members.scan;
  const start = members.start('parameters');
  const canonical = rewrite(text, start, canonicalStyle);
  // The stored text differs from the canonical text only in U+0000, which is always written as an escape.
  const stored =
    (members.traits('parameters') & trait.escape) !== 0 && canonical.includes('\\u0000')
      ? rewrite(text, start, storedStyle)
      : canonical;
  return { stored, canonical };
}
