import { flag, inJson, object, type Operation, text, time } from '#openapi';

const anyMethod = 'All HTTP methods give the same answer.';

export const version: Operation = {
  id: 'getVersion',
  method: 'get',
  tag: 'about',
  summary: 'The version that the service reports to its clients',
  description: anyMethod,
  refusals: [400],
  answers: { 200: inJson('The version.', object({ version: text() })) },
  examples: { version: { summary: 'The version' } },
};

export const latest: Operation = {
  id: 'getLatestVersion',
  method: 'get',
  tag: 'about',
  summary: 'Information about newer versions',
  description: `The service does not look for newer versions, so \`newer\` is always false. ${anyMethod}`,
  refusals: [400],
  answers: {
    200: inJson(
      'The version.',
      object({ newer: flag, product: text(), link: text(), message: text(), version: text() }),
    ),
  },
  examples: { version: { summary: 'The version' } },
};

export const serverTime: Operation = {
  id: 'getServerTime',
  method: 'get',
  tag: 'about',
  summary: 'The current time of the service',
  description: anyMethod,
  refusals: [400],
  answers: { 200: inJson('The time.', object({ server_time: time })) },
  examples: { time: { summary: 'The time' } },
};

const toPage = { description: 'Redirects to the page.', headers: { Location: 'The path of the page.' } };

export const root: Operation = {
  id: 'redirectFromRoot',
  tag: 'about',
  summary: 'Redirects to the page of the service',
  answers: { 302: toPage },
  examples: { page: { summary: 'The redirect' } },
};

export const pdb: Operation = { ...root, id: 'redirectFromPdb' };

export const page: Operation = {
  id: 'getPage',
  tag: 'about',
  summary: 'A page about this process, with links',
  answers: { 200: { description: 'The page.', content: { 'text/html': text() } } },
  examples: { page: { summary: 'The page' } },
};
