import { flag, object, type Operation } from '#openapi';

export const importDescription: Operation = {
  id: 'importArchive',
  tag: 'admin',
  summary: 'Imports an archive',
  description:
    'An archive of this service or of PuppetDB: docs/archives.md. The answer comes when all its documents are durable in ' +
    'the log. Documents that are stored already are left out, so an import can be repeated.',
  body: {
    description: 'A form with the file in the part `archive`: `curl -F archive=@FILE`.',
    content: {
      'multipart/form-data': object(
        { archive: { description: 'The archive.', contentMediaType: 'application/gzip' } },
        { open: true },
      ),
    },
  },
  refusals: [400, 413, 415, 503],
  answers: {
    200: {
      description: 'The archive is imported.',
      headers: { 'X-Nodeledger-Imported': 'How many documents were imported, were known, and were left out.' },
      content: { 'application/json': object({ ok: flag }) },
    },
  },
};
