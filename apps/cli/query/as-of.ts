import type { Command } from 'commander';

export interface AsOfFlag {
  readonly asOf?: string;
}

export const withAsOf = (command: Command): Command =>
  command.option('--as-of <moment>', 'answer as of this moment, such as "2 days ago" or 2026-01-31T12:00:00Z');

export const asOfParameter = ({ asOf }: AsOfFlag): { readonly as_of?: string } =>
  asOf === undefined ? {} : { as_of: asOf };

/**
 * Returns an --as-of flag with the log positions of an answer. A query with this flag reads the same state as the
 * answer.
 */
export const sameMoment = (flag: AsOfFlag, answer: Response): AsOfFlag => {
  const asOf = answer.headers.get('x-nodeledger-as-of') ?? flag.asOf;
  return asOf === undefined ? {} : { asOf };
};

export function warnOfRemoved(answer: Response): void {
  const removed = answer.headers.get('x-nodeledger-as-of-removed');
  if (removed !== null) process.stderr.write(`nodeledger: age limits have since removed ${removed}\n`);
}
