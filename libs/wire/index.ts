export { readAgentReport, type ConvertedReport } from './agent-report/read-agent-report';
export { canonicalCommandName, commandCatalogue } from './command-catalogue';
export type * from './documents';
export { inflate } from './inflate';
export { isLifecycleCommand, isRemovalCommand, lifecycleCommands } from './lifecycle/commands';
export { allMembers, sliceMembers, type MemberTexts } from './json/slice-members';
export { unescapeString } from './json/strings';
export type { Problem } from './check/problems';
export { readCommand, type ReadOptions } from './read-command';
