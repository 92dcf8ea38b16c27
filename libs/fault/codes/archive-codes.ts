import { codeTable } from './code-entry';

export const archiveCodes = codeTable({
  'archive.parameter': {
    shows: [400],
    meaning: 'A parameter of an export is unknown, or the anonymization profile does not exist.',
    remedy: 'Use the parameters and profiles that the hint lists.',
  },
  'archive.exports': {
    shows: [503],
    meaning: 'The maximum number of exports is already running.',
    remedy: 'Retry the request when one of the exports is done.',
  },
});
