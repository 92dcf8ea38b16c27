import { inQuery, oneOfTexts, type Operation, text } from '#openapi';
import { anonymizationProfiles } from '../../anonymize/profiles';

export const exportDescription: Operation = {
  id: 'exportArchive',
  tag: 'admin',
  summary: 'Exports all documents as an archive',
  description:
    'The archive is a gzip-compressed tar file (docs/archives.md). If the export fails, the service closes the connection before the end of ' +
    'the archive.',
  parameters: [
    inQuery(
      'anonymization_profile',
      'The data to replace by other values. With `none`, the archive contains the original values.',
      { ...(oneOfTexts(anonymizationProfiles) as object), default: 'none' },
    ),
  ],
  refusals: [400, 503],
  answers: {
    200: {
      description: 'The archive.',
      headers: { 'Content-Disposition': 'The name for the file.' },
      content: { 'application/octet-stream': text() },
    },
  },
  examples: {
    plain: { summary: 'Original values' },
    anonymized: { summary: 'Anonymized values', parameters: { anonymization_profile: 'full' } },
  },
};
