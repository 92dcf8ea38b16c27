/** The export without HTTP and NestJS, so that the thread of an export does not load these modules. */
export { anonymizer } from './anonymizer';
export { exportArchive, type ExportOptions } from './export-archive';
