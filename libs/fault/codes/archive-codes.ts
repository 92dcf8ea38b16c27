import { codeTable } from './code-entry';

export const archiveCodes = codeTable({
  'archive.parameter': {
    shows: [400],
    meaning: 'A parameter of an export is unknown, or the profile does not exist.',
    remedy: 'Use one of the profiles that the hint lists.',
  },
  'archive.exports': {
    shows: [503],
    meaning: 'The maximum number of exports is already running.',
    remedy: 'Retry the request when one of them is done.',
  },
});
