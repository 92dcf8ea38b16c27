import { hash } from 'node:crypto';
import { type ArchiveRoot, isArchiveRoot } from './archive-root';
import { type EntryKind, entryKinds, inactiveFolder } from './entry-kinds';
import { fileNameOf } from './file-name-of';
import { metadataNames } from './metadata';

export interface NamedEntry {
  readonly kind: EntryKind;
  readonly certname: string;
  readonly inactive: boolean;
  readonly text: string;
}

export type EntryName =
  | { readonly root: ArchiveRoot; readonly holds: 'metadata' }
  | { readonly root: ArchiveRoot; readonly holds: 'document'; readonly kind: EntryKind; readonly inactive: boolean };

const kindOf = new Map(entryKinds.map((entry) => [entry.kind, entry]));
const byFolder = new Map(entryKinds.map((entry) => [entry.folder, entry]));

/** The hash in a file name is the hash of the document's text, so equal documents have equal paths. */
export function entryName(root: ArchiveRoot, { kind, certname, inactive, text }: NamedEntry): string {
  const { folder, hashed } = kindOf.get(kind)!;
  const file = `${fileNameOf(certname)}${hashed ? `-${hash('sha1', text)}` : ''}.json`;
  return [root, ...(inactive && kind !== 'node state' ? [inactiveFolder] : []), folder, file].join('/');
}

/**
 * Returns undefined for paths that neither nodeledger nor PuppetDB writes. PuppetDB does not escape certnames, so a
 * file name may contain slashes. Callers must therefore never use a file name as a path, and must read the certname
 * only from the document.
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
