import { type Description, inPath, type Operation, text } from '#openapi';

const answers: Operation['answers'] = {
  200: { description: 'The page.', content: { 'text/html': text() } },
  304: { description: 'The client has the page already.' },
};

export const pages = (): Description => ({
  operations: [
    {
      id: 'getConsole',
      path: '/console',
      tag: 'console',
      summary: 'The console, for browsers',
      description: 'The page loads no files from other servers, and uses only the paths of this document.',
      answers,
      examples: { overview: { summary: 'The first page' } },
    },
    {
      id: 'getConsolePage',
      path: '/console/{path}',
      tag: 'console',
      summary: 'A page of the console',
      description: 'The answer is the same for all paths. The console selects the page by the path.',
      parameters: [inPath('path', 'The path of the page.')],
      refusals: [404],
      answers,
      examples: { nodes: { summary: 'The nodes', parameters: { path: 'nodes' } } },
    },
  ],
});

export const asset: Operation = {
  id: 'getConsoleFile',
  tag: 'console',
  summary: 'A file that the console needs',
  parameters: [
    inPath(
      'file',
      'The name of the file. If the content changes, the name also changes, so browsers can cache the file.',
    ),
  ],
  refusals: [404],
  answers: {
    200: {
      description: 'The file.',
      content: { 'text/javascript': text(), 'text/css': text(), 'text/plain': text(), 'image/svg+xml': text() },
    },
    304: { description: 'The client has the file already.' },
  },
};
