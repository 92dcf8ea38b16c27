import { oneOfTexts, type Operation, text } from '#openapi';
import { anonymizationProfiles } from '../../anonymize/profiles';

export const exportDescription: Operation = {
  id: 'exportArchive',
  tag: 'admin',
  summary: 'Exports everything that queries show, as an archive',
  description:
    'A gzip-compressed tar file that PuppetDB can import, too: docs/archives.md. An export that fails on the way breaks the ' +
    'connection.',
  parameters: [
    {
      name: 'anonymization_profile',
      in: 'query',
      description: 'What is replaced by other values. `none`: nothing.',
      schema: { ...(oneOfTexts(anonymizationProfiles) as object), default: 'none' },
    },
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
    plain: { summary: 'As it is' },
    anonymized: { summary: 'Anonymized', parameters: { anonymization_profile: 'full' } },
  },
};
