/**
 * Commands that only the service appends to the log. The catalogue of commands does not contain them, so a client that
 * submits one gets the fault for an unknown command.
 */
export const lifecycleCommands = {
  deleteNode: { command: 'delete node', version: 1 },
  applyAgeLimits: { command: 'apply age limits', version: 1 },
  restoreNode: { command: 'restore node', version: 1 },
  restoreNodes: { command: 'restore nodes', version: 1 },
} as const;

const names: ReadonlySet<string> = new Set(Object.values(lifecycleCommands).map(({ command }) => command));

export const isLifecycleCommand = (command: string): boolean => names.has(command);

const ofPartitions: ReadonlySet<string> = new Set([
  lifecycleCommands.applyAgeLimits.command,
  lifecycleCommands.restoreNodes.command,
]);

/**
 * Returns whether the command concerns all nodes of a partition, instead of only the node with the certname of its
 * record.
 */
export const isPartitionCommand = (command: string): boolean => ofPartitions.has(command);

/**
 * Returns whether the projector applies the command with statements over stored rows (`MaintenanceChanges` of
 * projections). All other commands change the state of one node in memory.
 */
export const isMaintenanceCommand = (command: string): boolean =>
  ofPartitions.has(command) || command === lifecycleCommands.deleteNode.command;
