export { readAgentReport } from './agent-report/read-agent-report';
export { canonicalDocument } from './canonical/canonical-document';
export { canonicalCommandName } from './canonical-command-name';
export { commandsWithSections, documentSections } from './document-sections';
export type * from './documents';
export { inflate } from './inflate';
export { isMaintenanceCommand, isPartitionCommand, lifecycleCommands } from './lifecycle/commands';
export { writeAgeLimits } from './lifecycle/age-limits';
export { sliceElements, sliceMembers, type MemberTexts } from './json/slices';
export { encodeString, unescapeString } from './json/strings';
export type { Problem } from './check/problems';
export {
  commandCatalogue,
  documentKindOf,
  readCommand,
  type ReadOptions,
  isUnchanged,
  readDocumentInParts,
} from './read-command';
export { agentReportSchema, payloadSchemas } from './schemas/payload-schemas';
export { exampleAgentReport, examplePayloads } from './schemas/example-payloads';
