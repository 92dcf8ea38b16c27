import { codeTable } from './code-entry';

/** Archives that are imported. */
export const importCodes = codeTable({
  'import.form': {
    shows: [400, 415],
    meaning: 'The request is not a multipart body with one archive in it.',
    remedy: 'Send the archive as the part `archive`: `curl -F archive=@FILE URL/pdb/admin/v1/archive`.',
  },
  'import.broken': {
    shows: [400],
    meaning: 'The archive is not compressed with gzip, is no tar, or is cut off.',
    remedy: 'Make the archive again, or transfer it again, and repeat the import.',
  },
  'import.entry': {
    shows: [400],
    meaning:
      'An entry of the archive is something that no archive of documents has: a link, a device, another path, or no document.',
    remedy:
      'Import the archive as it was exported. What stands before the entry was imported; a repeat changes nothing of it.',
  },
  'import.metadata': {
    shows: [400],
    meaning: 'The archive does not begin with its metadata, or they are wrong.',
    remedy: 'Import the archive as it was exported: its first entry says in which versions its documents are.',
  },
  'import.version': {
    shows: [400],
    meaning: 'The archive has documents in a version that this service cannot read.',
    remedy: 'Export the archive with a version of the server whose documents this service reads (docs/archives.md).',
  },
  'import.stalled': {
    shows: [408],
    meaning: 'The client sent almost nothing of the archive for a minute.',
    remedy: 'Repeat the import. What is stored already is not stored again.',
  },
  'import.busy': {
    shows: [503],
    meaning: 'As many archives are being imported as may be at the same time.',
    remedy: 'Repeat the import when another one has ended.',
  },
});
