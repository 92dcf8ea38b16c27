import { type Operation, text } from '#openapi';

export const document: Operation = {
  id: 'getDescription',
  tag: 'about',
  summary: 'This document',
  description:
    'The document has the format OpenAPI 3.1. If the header If-None-Match contains the current ETag, the answer is 304.',
  answers: {
    200: {
      description: 'The document.',
      headers: { ETag: 'Changes with the document.' },
      content: { 'application/json': { type: 'object', required: ['openapi', 'paths'] } },
    },
    304: { description: 'The client has the document already.' },
  },
  examples: { document: { summary: 'The document' } },
};

export const page: Operation = {
  id: 'getDocsPage',
  tag: 'about',
  summary: 'A page that shows this document',
  description: 'The page loads no files from other servers. Users can send requests to this service from the page.',
  answers: {
    200: { description: 'The page.', content: { 'text/html': text() } },
    304: { description: 'The client has the page already.' },
  },
  examples: { page: { summary: 'The page' } },
};

export const asset: Operation = {
  id: 'getDocsFile',
  tag: 'about',
  summary: 'A file that the page at /docs/api needs',
  parameters: [
    {
      name: 'file',
      in: 'path',
      description: 'The name of the file.',
      schema: { type: 'string', enum: ['start.js', 'swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'] },
    },
  ],
  refusals: [404],
  answers: {
    200: {
      description: 'The file.',
      content: { 'text/javascript': text(), 'text/css': text(), 'text/plain': text() },
    },
    304: { description: 'The client has the file already.' },
  },
  examples: {
    program: { summary: 'The program of the page', parameters: { file: 'swagger-ui-bundle.js' } },
    style: { summary: 'The style sheet of the page', parameters: { file: 'swagger-ui.css' } },
    start: { summary: 'The script that starts the program', parameters: { file: 'start.js' } },
  },
};
