export { type AnonymizationProfile, anonymizationProfiles } from './anonymize/profiles';
export { anonymizer, exportArchive, type ExportOptions } from './export';
export { type ArchiveRoot, archiveRoots } from './format/archive-root';
export { ArchiveExports } from './export/http/archive-exports';
export { type ExportHttpOptions, ExportModule } from './export/http/export.module';
export { ImportModule, type ImportOptions } from './import/import.module';
