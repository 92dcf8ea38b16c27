import { flag, object, type Operation } from '#openapi';

export const importDescription: Operation = {
  id: 'importArchive',
  tag: 'admin',
  summary: 'Imports an archive',
  description:
    'The archive can come from this service or from PuppetDB (docs/archives.md). The service answers when all documents are durable ' +
    'in the log. The import skips documents that are already stored, so you can repeat an import.',
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
      description: 'All documents of the archive are in the log.',
      headers: {
        'X-Nodeledger-Imported':
          'The number of documents, of documents that were already stored, and of entries without a document.',
      },
      content: { 'application/json': object({ ok: flag }) },
    },
  },
};
