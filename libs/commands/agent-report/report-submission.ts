import { checkEnvelope, readWait } from '../envelope';
import type { ReadReport } from '../reading/readers';
import type { Submission } from '../submission';

export const waiting = 'secondsToWaitForCompletion';

/** Makes a command from a report. `parameters` must contain only the time to wait. Throws `command.invalid`. */
export function reportSubmission(report: ReadReport, parameters: URLSearchParams): Submission {
  const envelope = checkEnvelope({
    command: 'store report',
    version: 8,
    certname: report.certname,
    foreign: [...new Set(parameters.keys())].filter((name) => name !== waiting),
  });
  return {
    ...envelope,
    encoding: 'identity',
    payload: report.payload,
    waitMs: readWait(parameters.get(waiting) ?? undefined, envelope),
    headers: {},
  };
}
