import { codeTable } from './code-entry';

export const importCodes = codeTable({
  'import.form': {
    shows: [400, 415],
    meaning: 'The body of the request is not a multipart body with exactly one archive.',
    remedy: 'Send the archive as the part `archive`: `curl -F archive=@FILE URL/pdb/admin/v1/archive`.',
  },
  'import.broken': {
    shows: [400],
    meaning: 'The archive is not a gzip-compressed tar file, or it is truncated.',
    remedy: 'Export or transfer the archive again, and repeat the import.',
  },
  'import.entry': {
    shows: [400],
    meaning:
      'An entry of the archive is not a document: it is a link or a device, its path is not allowed, or its content is invalid.',
    remedy:
      'Import the archive exactly as it was exported. The documents before this entry are stored. If you import them again, the import changes nothing.',
  },
  'import.metadata': {
    shows: [400],
    meaning: 'The first entry of the archive is not its metadata file, or the metadata is invalid.',
    remedy:
      'Import the archive exactly as it was exported. Its first entry must be the metadata file, which lists the versions of the documents.',
  },
  'import.version': {
    shows: [400],
    meaning: 'The archive contains documents in a version that this service does not support.',
    remedy:
      'Export the archive with a release of PuppetDB or nodeledger that writes supported versions (docs/commands.md).',
  },
  'import.stalled': {
    shows: [408],
    meaning: 'The client sent almost no data for a minute.',
    remedy: 'Repeat the import. The service skips documents that are already stored.',
  },
  'import.busy': {
    shows: [503],
    meaning: 'The maximum number of imports is already running.',
    remedy: 'Repeat the import after another import has finished.',
  },
});
