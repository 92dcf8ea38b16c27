import { codeTable } from './code-entry';

/** Payloads of commands: why the projector rejects one. */
export const wireCodes = codeTable({
  'wire.json': {
    shows: ['dead letter', 400],
    meaning: 'The payload is not JSON.',
    remedy: 'Correct the sender. A payload that was cut off is often a sender that stopped in the middle.',
  },
  'wire.number': {
    shows: ['dead letter', 400],
    meaning: 'The payload has a number that cannot be stored.',
    remedy: 'Correct the number at the offset that the text gives, or send it as a string.',
  },
  'wire.encoding': {
    shows: ['dead letter', 400],
    meaning: 'The payload is not UTF-8.',
    remedy: 'Send UTF-8. Binary values of facts and parameters must be encoded, for example as base64.',
  },
  'wire.gzip': {
    shows: ['dead letter', 400],
    meaning: 'The payload is declared as gzip, but it is no complete gzip stream.',
    remedy: 'Send it again, compressed as a whole.',
  },
  'wire.too-large': {
    shows: ['dead letter', 413],
    meaning: 'The payload inflates to more bytes than a command may have.',
    remedy: 'Send a smaller document, or raise NODELEDGER_MAX_COMMAND_SIZE and retry the letter.',
  },
  'wire.limit': {
    shows: ['dead letter', 400],
    meaning: 'The document is larger than a limit allows.',
    remedy: 'Send less, or raise the setting that the text names (docs/limits.md) and retry the letter.',
  },
  'wire.shape': {
    shows: ['dead letter', 400],
    meaning: 'The document does not have the form of its command and version. Every problem is listed with its path.',
    remedy: 'Correct the sender, or send the version that fits the document.',
  },
  'wire.certname': {
    shows: ['dead letter'],
    meaning: 'The command names another node than its payload.',
    remedy: 'Send both with the same certname.',
  },
  'wire.command': {
    shows: ['dead letter'],
    meaning: 'This release does not know the command.',
    remedy: 'Another release has written it to the log: run that one, and retry the letter.',
  },
  'wire.version': {
    shows: ['dead letter'],
    meaning: 'This release cannot read this version of the command.',
    remedy: 'Send a version that the text names, or run a newer release and retry the letter.',
  },
  'projections.fatal-record': {
    shows: ['dead letter'],
    meaning: 'The projector ended abnormally twice while it applied this command, so it is passed over.',
    remedy: 'Remove the cause, such as too little memory, and retry the letter.',
  },
});
