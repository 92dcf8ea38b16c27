import { codeTable } from './code-entry';

/** Streams of changes, and webhooks. */
export const changeCodes = codeTable({
  'changes.filter': {
    shows: [400],
    meaning: 'The filter of changes is not valid.',
    remedy: 'Use the lists `kinds`, `certnames` and `environments` (docs/webhooks.md).',
  },
  'changes.gone': {
    shows: [410],
    meaning: 'The changes after the position of Last-Event-ID are no longer known, because the history begins later.',
    remedy:
      'Query the present state, then follow the changes from now on. The header X-Nodeledger-Earliest has the earliest time that `since` can have.',
  },
});
