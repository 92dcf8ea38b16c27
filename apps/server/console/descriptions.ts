import { type Description, type Operation, text } from '#openapi';

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
      description: 'The page needs nothing from other servers, and knows the service by this interface only.',
      answers,
      examples: { overview: { summary: 'The first page' } },
    },
    {
      id: 'getConsolePage',
      path: '/console/{path}',
      tag: 'console',
      summary: 'The console at one of its addresses',
      description: 'The answer is the same page, which reads its address.',
      parameters: [{ name: 'path', in: 'path', description: 'An address of the console.', schema: text() }],
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
    {
      name: 'file',
      in: 'path',
      description: 'The name of the file. It changes with its content, so browsers may keep the file.',
      schema: text(),
    },
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
