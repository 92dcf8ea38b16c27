/** Steps in a log before a base is made, besides the commands of clients. */
import { lifecycleCommands } from '#wire';
import { ageLimitsOf, type GivenLimits } from '../support/age-limits';
import { submission, timeOf, type CommandStep, type LimitsStep } from './steps';

/** Maintenance besides expiry. Times are as in the other steps; `before`: the cutoff. */
export type MaintenanceStep =
  | { readonly do: 'purge'; readonly node: string; readonly before: number }
  | { readonly do: 'purge reports'; readonly node: string; readonly before: number }
  | { readonly do: 'delete'; readonly node: string };

export type BaseStep =
  | CommandStep
  | MaintenanceStep
  | LimitsStep
  /**
   * An earlier record once more, byte for byte: a client that sends twice, or a retry of a command, rejected or not.
   */
  | { readonly do: 'again'; readonly which: number; readonly retry: boolean };

export interface Command {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: string;
}

/** Returns the command of a step. */
export function commandOf(step: CommandStep | MaintenanceStep): Command {
  switch (step.do) {
    case 'purge':
      return limited(step.node, { purge: { cutoff: timeOf(step.before), most: 1 } });
    case 'purge reports':
      return limited(step.node, { reportsBefore: timeOf(step.before) });
    case 'delete':
      return {
        ...lifecycleCommands.deleteNode,
        certname: step.node,
        payload: JSON.stringify({ certname: step.node }),
      };
    default: {
      const { command, version, certname, payload } = submission(step, step.node);
      return { command, version, certname, payload };
    }
  }
}

const limited = (certname: string, limits: GivenLimits): Command => ({ certname, ...ageLimitsOf(certname, limits) });
