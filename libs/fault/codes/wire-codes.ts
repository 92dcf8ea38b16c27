import { codeTable } from './code-entry';

/** Codes of payloads, with which the projector rejects commands. */
export const wireCodes = codeTable({
  'wire.json': {
    shows: ['dead letter', 400],
    meaning: 'The payload is not JSON.',
    remedy: 'Correct the sender. If the payload is truncated, the sender probably stopped in the middle.',
  },
  'wire.number': {
    shows: ['dead letter', 400],
    meaning: 'The payload contains a number that cannot be stored.',
    remedy: 'Correct the number at the offset that the message shows, or send it as a string.',
  },
  'wire.encoding': {
    shows: ['dead letter', 400],
    meaning: 'The payload is not UTF-8.',
    remedy: 'Send UTF-8. Encode binary values of facts and parameters, for example as base64.',
  },
  'wire.gzip': {
    shows: ['dead letter', 400],
    meaning: 'The header Content-Encoding declares gzip, but the payload is not a complete gzip stream.',
    remedy: 'Compress the whole payload and send it again.',
  },
  'wire.too-large': {
    shows: ['dead letter', 413],
    meaning: 'The uncompressed payload is larger than a command may be.',
    remedy: 'Send a smaller document, or raise NODELEDGER_MAX_COMMAND_SIZE and retry the letter.',
  },
  'wire.limit': {
    shows: ['dead letter', 400],
    meaning: 'The document exceeds a limit.',
    remedy:
      'Send a smaller document, or increase the setting that the message names (docs/limits.md) and retry the letter.',
  },
  'wire.shape': {
    shows: ['dead letter', 400],
    meaning:
      'The document does not have the structure that its command and version require. The message lists every problem with its path.',
    remedy: 'Correct the sender, or send the command version that matches the document.',
  },
  'wire.certname': {
    shows: ['dead letter'],
    meaning: 'The command and its payload name different nodes.',
    remedy: 'Send both with the same certname.',
  },
  'wire.command': {
    shows: ['dead letter'],
    meaning: 'This release does not support the command.',
    remedy: 'Another release wrote it to the log. Run that release and retry the letter.',
  },
  'wire.version': {
    shows: ['dead letter'],
    meaning: 'This release does not support this version of the command.',
    remedy: 'Send one of the versions listed in the message, or install a newer release and retry the letter.',
  },
  'projections.fatal-record': {
    shows: ['dead letter'],
    meaning: 'The projector crashed twice while it applied this command, so it skips the command.',
    remedy: 'Fix the cause, for example too little memory, then retry the dead letter.',
  },
});
