export { type AnonymizationProfile, anonymizationProfiles } from './anonymize/profiles';
export { anonymizer } from './export/anonymizer';
export { type Anonymizer, exportArchive, type ExportOptions } from './export/export-archive';
export { type ArchiveRoot, archiveRoots, isArchiveRoot } from './format/archive-root';
export { type EntryKind, type EntryKindOf, entryKinds, inactiveFolder } from './format/entry-kinds';
export { type EntryName, entryName, type NamedEntry, readEntryName } from './format/entry-name';
export { fileNameOf } from './format/file-name-of';
export { type ArchiveMetadata, metadataNames, metadataText, readMetadata, writtenVersions } from './format/metadata';
