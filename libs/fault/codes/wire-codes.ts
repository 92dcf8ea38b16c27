import { codeTable } from './code-entry';

export const wireCodes = codeTable({
  'wire.json': {
    shows: ['dead letter', 400],
    meaning: 'The payload is not JSON.',
    remedy:
      'Correct the client that sent the payload. If the end of the payload is missing, the client probably stopped while it was sending.',
  },
  'wire.number': {
    shows: ['dead letter', 400],
    meaning: 'The payload contains a number that the service cannot store.',
    remedy: 'Correct the number at the offset that the message shows, or send the number as a string.',
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
    meaning: 'The uncompressed payload is larger than NODELEDGER_MAX_COMMAND_SIZE.',
    remedy: 'Send a smaller document, or raise the setting and retry the dead letter.',
  },
  'wire.limit': {
    shows: ['dead letter', 400],
    meaning: 'The document exceeds a limit.',
    remedy:
      'Send a smaller document. Or raise the setting that the message names (docs/limits.md), and retry the dead letter.',
  },
  'wire.shape': {
    shows: ['dead letter', 400],
    meaning:
      'The document does not have the structure that its command and version require. The message lists every problem, with the path in the document.',
    remedy: 'Correct the client, or send the document with the right version of the command.',
  },
  'wire.certname': {
    shows: ['dead letter'],
    meaning: 'The certname in the payload differs from the certname of the command.',
    remedy: 'Send the same certname in the payload and in the command.',
  },
  'wire.command': {
    shows: ['dead letter'],
    meaning: 'This release does not support the command.',
    remedy: 'Another release accepted the command. Start the other release, and retry the dead letter.',
  },
  'wire.version': {
    shows: ['dead letter'],
    meaning: 'This release does not support this version of the command.',
    remedy: 'Send one of the versions listed in the message, or install a newer release and retry the dead letter.',
  },
  'projections.fatal-record': {
    shows: ['dead letter'],
    meaning: 'The projector crashed twice while it applied this command. So it now skips the command.',
    remedy: 'Correct the cause, for example too little memory. Then retry the dead letter.',
  },
});
