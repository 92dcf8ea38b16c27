/** What makes an archive, without the modules of HTTP and NestJS: the thread of an export loads nothing else. */
export { anonymizer } from './anonymizer';
export { type Anonymizer, exportArchive, type ExportOptions } from './export-archive';
