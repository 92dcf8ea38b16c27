export { readAgentReport, type ConvertedReport } from './agent-report/read-agent-report';
export { canonicalCommandName, commandCatalogue, type CommandVersions } from './command-catalogue';
export type * from './documents';
export { inflate } from './inflate';
export { isLifecycleCommand, isRemovalCommand, lifecycleCommands } from './lifecycle/commands';
export { sliceMember } from './json/member';
export type { Problem } from './check/problems';
export { readCommand, type CommandHeader, type ReadOptions } from './read-command';
