/** What a log may hold besides the commands of clients, when a base of it is made. */
import { lifecycleCommands } from '#wire';
import { submission, timeOf, type CommandStep, type LimitsStep } from './steps';

/** Maintenance besides expiry. Times as in the other steps; `before`: the cut-off. */
export type MaintenanceStep =
  | { readonly do: 'purge'; readonly node: string; readonly before: number }
  | { readonly do: 'purge reports'; readonly node: string; readonly before: number }
  | { readonly do: 'delete'; readonly node: string };

export type BaseStep =
  | CommandStep
  | MaintenanceStep
  | LimitsStep
  /** An earlier record once more, byte for byte: a client that sends twice, or a retry of what was (or was not) rejected. */
  | { readonly do: 'again'; readonly which: number; readonly retry: boolean };

export interface Command {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: string;
}

/** The command that a step stands for. */
export function commandOf(step: CommandStep | MaintenanceStep): Command {
  switch (step.do) {
    case 'purge':
      return maintenance(lifecycleCommands.purgeNode, step.node, { cutoff: timeOf(step.before) });
    case 'purge reports':
      return maintenance(lifecycleCommands.purgeReports, step.node, { cutoff: timeOf(step.before) });
    case 'delete':
      return maintenance(lifecycleCommands.deleteNode, step.node, {});
    default: {
      const { command, version, certname, payload } = submission(step, step.node);
      return { command, version, certname, payload };
    }
  }
}

function maintenance(
  { command, version }: { readonly command: string; readonly version: number },
  certname: string,
  members: object,
): Command {
  return { command, version, certname, payload: JSON.stringify({ certname, ...members }) };
}
