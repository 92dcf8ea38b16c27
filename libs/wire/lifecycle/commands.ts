/**
 * Commands that only the service itself gives: what maintenance does to nodes, and what a base of the log says of them.
 * They are no part of the command catalogue, so that a client that submits one is told that there is no such command.
 * Maintenance gives one record for all nodes of a partition (`apply age limits`). Logs of earlier releases also have one for
 * each node (`expire node`, `purge node`, `purge reports`), which are still applied.
 */
export const lifecycleCommands = {
  expireNode: { command: 'expire node', version: 1 },
  purgeNode: { command: 'purge node', version: 1 },
  deleteNode: { command: 'delete node', version: 1 },
  purgeReports: { command: 'purge reports', version: 1 },
  restoreNode: { command: 'restore node', version: 1 },
  applyAgeLimits: { command: 'apply age limits', version: 1 },
  restoreNodes: { command: 'restore nodes', version: 1 },
} as const;

const names: ReadonlySet<string> = new Set(Object.values(lifecycleCommands).map(({ command }) => command));

/** Whether a record's command (its name, with spaces) is one that only the service itself gives. */
export const isLifecycleCommand = (command: string): boolean => names.has(command);

const ofPartitions: ReadonlySet<string> = new Set([
  lifecycleCommands.applyAgeLimits.command,
  lifecycleCommands.restoreNodes.command,
]);

/** Whether it is about nodes of a partition, not about the node that its record names. */
export const isPartitionCommand = (command: string): boolean => ofPartitions.has(command);

/** Whether it is about one node and may take rows away (or, as expiry, is decided as they are). A restored node is none: it adds. */
export const isRemovalCommand = (command: string): boolean =>
  names.has(command) && !ofPartitions.has(command) && command !== lifecycleCommands.restoreNode.command;
