import { codeTable } from './code-entry';

export const changeCodes = codeTable({
  'changes.filter': {
    shows: [400],
    meaning: 'The filter in a request for changes is not valid.',
    remedy: 'Use the lists `kinds`, `certnames` and `environments` (docs/webhooks.md).',
  },
  'changes.position': {
    shows: [400],
    meaning: 'Last-Event-ID is not the id of an event of a stream of changes.',
    remedy: 'Send the unchanged `id` of the last event, or the parameter `since`.',
  },
  'changes.crowded': {
    shows: [503],
    meaning: 'Too many streams of changes are open, in total or from this client address.',
    remedy: 'Close streams that nobody reads, or increase NODELEDGER_MAX_STREAMS (docs/limits.md).',
  },
  'changes.gone': {
    shows: [410],
    meaning: 'The history begins after the position in Last-Event-ID, so some of the changes are missing.',
    remedy:
      'Query the present state, then follow the changes from now on. The header X-Nodeledger-Earliest contains the earliest time for `since`.',
  },
  'webhooks.request': {
    shows: [400],
    meaning: 'A request about subscriptions has a parameter or a body that is not valid.',
    remedy: 'Correct the part that the message names (docs/webhooks.md).',
  },
  'webhooks.target': {
    shows: [400],
    meaning: 'The service does not send changes to the URL of the subscription, or to an address of its host.',
    remedy: 'Use an https URL with a public address, or allow the network in NODELEDGER_WEBHOOK_ALLOW.',
  },
  'webhooks.secret': {
    shows: [400],
    meaning: 'The secret does not have the form of the Standard Webhooks specification.',
    remedy: 'Send `whsec_` and 24 to 64 random bytes in base64.',
  },
  'webhooks.no-key': {
    shows: [409],
    meaning: 'The service has no key that encrypts the secrets of subscriptions.',
    remedy: 'Make a key with `openssl rand -base64 32`, and name its file in NODELEDGER_WEBHOOK_KEY_FILE.',
  },
  'webhooks.key': {
    shows: ['start', 'service log'],
    meaning: 'The file of NODELEDGER_WEBHOOK_KEY_FILE contains no valid keys.',
    remedy: 'Write a key of 32 bytes in base64 or hexadecimal on each line.',
  },
  'webhooks.sealed': {
    shows: [409],
    meaning: 'The secret of the subscription was encrypted with a key that the service does not have.',
    remedy: 'Add that key to the file of NODELEDGER_WEBHOOK_KEY_FILE, or give the subscription a new secret.',
  },
  'webhooks.exists': {
    shows: [409],
    meaning: 'Another subscription has this name.',
    remedy: 'Choose another name, or change the existing subscription by PUT.',
  },
  'webhooks.missing': {
    shows: [404],
    meaning: 'No subscription has this name.',
    remedy: 'List the names with `nodeledger subscriptions list`.',
  },
  'webhooks.too-many': {
    shows: [409],
    meaning: 'The maximum number of subscriptions exists already.',
    remedy: 'Remove subscriptions that nobody needs.',
  },
});
