import { type Operation, text } from '#openapi';

export const document: Operation = {
  id: 'getDescription',
  tag: 'about',
  summary: 'This document',
  description: 'OpenAPI 3.1. The header If-None-Match with the ETag of an earlier answer is answered 304.',
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
  description: 'The page needs nothing from other servers. It can send requests to this service.',
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
    style: { summary: 'Its style sheet', parameters: { file: 'swagger-ui.css' } },
    start: { summary: 'Its first lines', parameters: { file: 'start.js' } },
  },
};
