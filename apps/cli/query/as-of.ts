import type { Command } from 'commander';

export interface AsOfFlag {
  readonly asOf?: string;
}

/** Adds the flag of verbs that can ask about the past. */
export const withAsOf = (command: Command): Command =>
  command.option('--as-of <moment>', 'answer as of this moment, such as "2 days ago" or 2026-01-31T12:00:00Z');

/** Returns the parameter of the query for the flag. */
export const asOfParameter = ({ asOf }: AsOfFlag): { readonly as_of?: string } =>
  asOf === undefined ? {} : { as_of: asOf };

/** Returns the flag with the positions of an answer, so that a further query is about the same moment. */
export const sameMoment = (flag: AsOfFlag, answer: Response): AsOfFlag => {
  const asOf = answer.headers.get('x-nodeledger-as-of') ?? flag.asOf;
  return asOf === undefined ? {} : { asOf };
};

/** Says on standard error what age limits have removed since the moment of the answer. */
export function warnOfRemoved(answer: Response): void {
  const removed = answer.headers.get('x-nodeledger-as-of-removed');
  if (removed !== null) process.stderr.write(`nodeledger: age limits have since removed ${removed}\n`);
}
