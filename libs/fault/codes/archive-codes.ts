import { codeTable } from './code-entry';

/** Archives. */
export const archiveCodes = codeTable({
  'archive.parameter': {
    shows: [400],
    meaning: 'A parameter of an export is unknown, or there is no such profile.',
    remedy: 'Use one of the profiles that the hint names.',
  },
  'archive.exports': {
    shows: [503],
    meaning: 'As many exports are running as may run at once.',
    remedy: 'Send the request again when one of them is done.',
  },
});
