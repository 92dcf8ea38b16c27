import type { JsonText, WireResource } from '../documents';
import { eachElement, readStrings } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { resourceKey, type IdentifiedResource } from '../identity/catalog';
import { identifyResource } from '../identity/resource';
import { sha1 } from '../identity/sha1';
import { spellNumber } from '../json/numbers';
import { canonicalStyle, rewrite, storedStyle } from '../json/rewrite';
import { JsonScan, trait } from '../json/scan';
import { payloadText } from '../payload-text';
import { Remembered } from './remembered';

/** Members of a resource that count. */
export const resourceShape = shape(['type', 'title', 'exported', 'tags'], ['file', 'line', 'parameters'], {
  open: true,
});
type ResourceMembers = Members<'type' | 'title' | 'exported' | 'tags' | 'file' | 'line' | 'parameters'>;

/** Letters that are no capitals, digits and `_`; after the first also `:`, `.` and `-`. */
const tag = /^[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_][\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_:.-]*$/u;
const usualTag = /^[a-z0-9_][a-z0-9_:.-]*$/;

interface KnownResource {
  readonly resource: WireResource;
  readonly identified: IdentifiedResource;
}

/** Machines of a role share most of their resources to the byte: those are found again instead of being read again. */
const knownResources = new Remembered<KnownResource>(8_000);

/** Longer texts are rare, and a few of them would fill the memory. */
const largestKnown = 4_096;

interface CheckedResources {
  readonly resources: WireResource[];
  /** The same for the catalog's identity, by key. */
  readonly identified: ReadonlyMap<string, IdentifiedResource>;
}

/** The resources of the array at `start`, in document order. */
export function readResources(scan: JsonScan, start: number, problems: Problems): CheckedResources {
  const members: ResourceMembers = new Members(scan, resourceShape, problems, 2);
  members.base = 'resources';
  const resources: WireResource[] = [];
  const identified = new Map<string, IdentifiedResource>();
  const add = (read: KnownResource): void => {
    const { key, type, title } = read.identified;
    if (identified.has(key)) {
      problems.add(members.path(), 'a resource of its own', `${quoted(`${type}[${title}]`)} once more`);
    }
    identified.set(key, read.identified);
    resources.push(read.resource);
  };
  const readNext = (pos: number, index: number): number => {
    members.index = index;
    const end = scan.skip(pos, 2);
    const text = scan.text.slice(pos, end);
    const digest = sha1(text);
    const known = knownResources.get(digest);
    if (known !== undefined) add(known);
    else {
      const before = problems.count;
      // Read from a text of its own: slices of the catalog's would keep all of it in memory.
      members.scan = new JsonScan(payloadText(Buffer.from(text)), scan.limits);
      members.open(0);
      const read = readResource(members);
      if (problems.count === before && text.length <= largestKnown) knownResources.set(digest, read);
      add(read);
    }
    return end;
  };
  eachElement(scan, start, readNext, 'resources');
  return { resources, identified };
}

function readResource(members: ResourceMembers): KnownResource {
  const type = members.text('type');
  const title = members.text('title');
  const exported = members.boolean('exported');
  const file = readFile(members);
  const line = readLine(members);
  const tags = readTags(members);
  const parameters = readParameters(members);
  const { hash, content, reference, canonical } = identifyResource({
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
      tags,
      parameters: parameters.stored,
      hash,
      content,
    },
    identified: { key: resourceKey(type, title), type, title, reference, canonical },
  };
}

interface Field<T> {
  readonly value: T | null;
  /** As the catalog's identity has it. */
  readonly json: JsonText | undefined;
}

/** A number counts as its text, as the reference stores it. */
function readFile(members: ResourceMembers): Field<string> {
  if (!members.has('file')) return { value: null, json: undefined };
  if (members.kind('file') === 'number') {
    const number = spellNumber(members.raw('file'));
    return { value: number, json: number };
  }
  const value = members.textOrNull('file');
  return { value, json: value === null ? 'null' : members.canonicalText('file', value) };
}

/** Rounded as PostgreSQL rounds doubles: a half to the even neighbour. */
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

function readTags(members: ResourceMembers): readonly string[] {
  const kind = members.kind('tags');
  if (kind !== 'array') {
    if (kind !== undefined) members.wrong('tags', 'an array of strings');
    return [];
  }
  const tags = readStrings(members.scan, members.start('tags'), members.problems, () => members.path('tags'));
  for (const one of tags) {
    if (!usualTag.test(one) && !tag.test(one))
      members.problems.add(
        members.path('tags'),
        'tags of lower-case letters, digits, _ and, after the first, : . -',
        quoted(one),
      );
  }
  const distinct = new Set(tags);
  return distinct.size === tags.length ? tags : [...distinct];
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
  // Only U+0000 tells the two apart, and it is always written as an escape.
  const stored =
    (members.traits('parameters') & trait.escape) !== 0 && canonical.includes('\\u0000')
      ? rewrite(text, start, storedStyle)
      : canonical;
  return { stored, canonical };
}
