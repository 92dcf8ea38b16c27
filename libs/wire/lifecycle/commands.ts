/**
 * Commands that only the service itself gives: what maintenance does to a node, and what a base of the log says of one.
 * They are no part of the command catalogue, so that a client that submits one is told that there is no such command.
 */
export const lifecycleCommands = {
  expireNode: { command: 'expire node', version: 1 },
  purgeNode: { command: 'purge node', version: 1 },
  deleteNode: { command: 'delete node', version: 1 },
  purgeReports: { command: 'purge reports', version: 1 },
  restoreNode: { command: 'restore node', version: 1 },
} as const;

const names: ReadonlySet<string> = new Set(Object.values(lifecycleCommands).map(({ command }) => command));

/** Whether a record's command (its name, with spaces) is one that only the service itself gives. */
export const isLifecycleCommand = (command: string): boolean => names.has(command);

/** Whether it is one that may take rows away (or, as expiry, is decided as they are). A restored node is none: it adds. */
export const isRemovalCommand = (command: string): boolean =>
  names.has(command) && command !== lifecycleCommands.restoreNode.command;
