export { type ArchiveRoot, archiveRoots, isArchiveRoot } from './format/archive-root';
export { type EntryKind, type EntryKindOf, entryKinds, inactiveFolder } from './format/entry-kinds';
export { type EntryName, entryName, type NamedEntry, readEntryName } from './format/entry-name';
export { fileNameOf } from './format/file-name-of';
export { type ArchiveMetadata, metadataNames, metadataText, readMetadata, writtenVersions } from './format/metadata';
export { ImportModule, type ImportOptions } from './import/import.module';
export { archiveEntries } from './read/archive-entries';
