/**
 * Commands that only the service itself gives: what maintenance does to a node. They are no part of the command
 * catalogue, so that a client that submits one is told that there is no such command.
 */
export const lifecycleCommands = {
  expireNode: { command: 'expire node', version: 1 },
  purgeNode: { command: 'purge node', version: 1 },
  deleteNode: { command: 'delete node', version: 1 },
  purgeReports: { command: 'purge reports', version: 1 },
} as const;

const names: ReadonlySet<string> = new Set(Object.values(lifecycleCommands).map(({ command }) => command));

/** Whether a record's command (its name, with spaces) is one of maintenance. */
export const isLifecycleCommand = (command: string): boolean => names.has(command);
