import { codeTable } from './code-entry';

/** Streams of changes, and webhooks. */
export const changeCodes = codeTable({
  'changes.filter': {
    shows: [400],
    meaning: 'The filter of changes is not valid.',
    remedy: 'Use the lists `kinds`, `certnames` and `environments` (docs/webhooks.md).',
  },
});
