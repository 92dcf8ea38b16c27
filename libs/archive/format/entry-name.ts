import { hash } from 'node:crypto';
import { type ArchiveRoot, isArchiveRoot } from './archive-root';
import { type EntryKind, entryKinds, inactiveFolder } from './entry-kinds';
import { fileNameOf } from './file-name-of';
import { metadataNames } from './metadata';

/** A document on its way into an archive. */
export interface NamedEntry {
  readonly kind: EntryKind;
  readonly certname: string;
  /** Whether its node is deactivated or expired. */
  readonly inactive: boolean;
  /** The document's text. */
  readonly text: string;
}

/** What the name of an entry says. */
export type EntryName =
  | { readonly root: ArchiveRoot; readonly holds: 'metadata' }
  | { readonly root: ArchiveRoot; readonly holds: 'document'; readonly kind: EntryKind; readonly inactive: boolean };

const kindOf = new Map(entryKinds.map((entry) => [entry.kind, entry]));
const byFolder = new Map(entryKinds.map((entry) => [entry.folder, entry]));

/** The path of a document. Equal documents have equal paths; the hash is that of the text. */
export function entryName(root: ArchiveRoot, { kind, certname, inactive, text }: NamedEntry): string {
  const { folder, hashed } = kindOf.get(kind)!;
  const file = `${fileNameOf(certname)}${hashed ? `-${hash('sha1', text)}` : ''}.json`;
  return [root, ...(inactive && kind !== 'node state' ? [inactiveFolder] : []), folder, file].join('/');
}

/**
 * Takes the path of an entry, says what it holds. Undefined for paths that no archive of ours or of PuppetDB has. Names of
 * files may hold slashes, as PuppetDB writes a certname as it is: they are never a path to write to. The certname is that
 * of the document.
 */
export function readEntryName(path: string): EntryName | undefined {
  const [root = '', ...rest] = path.split('/');
  if (!isArchiveRoot(root)) return undefined;
  if (rest.length === 1 && metadataNames.includes(rest[0]!)) return { root, holds: 'metadata' };
  const inactive = rest[0] === inactiveFolder;
  const [folder = '', ...file] = inactive ? rest.slice(1) : rest;
  const entry = byFolder.get(folder);
  if (entry === undefined || !/.\.json$/s.test(file.join('/'))) return undefined;
  return { root, holds: 'document', kind: entry.kind, inactive };
}
