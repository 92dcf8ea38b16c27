export const batchSteps = {
  load: 'read the stored rows of the nodes of the batch',
  inflate: 'wait until the payloads are inflated',
  read_facts: 'parse and check the factsets, and combine several of the same node',
  read_catalogs: 'parse and check the catalogs, and combine several of the same node',
  hash_catalogs: 'compare the catalogs with the stored catalogs, and hash the catalogs',
  read_reports: 'parse and check the reports',
  read_others: 'parse and check all other commands',
  prepare_facts: 'compare the facts with the stored facts, and make rows of the differences',
  prepare_catalogs: 'make rows of the catalogs',
  prepare_reports: 'find the reports that are already stored, and make rows of the new reports',
  lock: 'wait for locks, and write the new positions',
  write_names: 'write environments and producers',
  remove_rows: 'delete the rows of deleted nodes and of deleted reports',
  write_nodes: 'write the rows of nodes',
  write_facts: 'write the rows of factsets, facts, paths of facts, and packages',
  write_catalogs: 'write the rows of catalogs, without resources and edges',
  write_resources: 'write the rows of resources',
  write_edges: 'write the rows of edges',
  write_inputs: 'write the rows of catalog inputs',
  write_reports: 'write the rows of reports',
  write_events: 'write the rows of events',
  write_timeline: 'write the rows of the timeline',
  write_letters: 'write dead letters, and notify clients that wait for a command',
  commit: 'commit the transaction',
} as const;

export type BatchStep = keyof typeof batchSteps;

/** Called when a step has ended. A step begins when the previous step ends. A step can occur several times. */
export type StepWatch = (step: BatchStep) => void;

export const noStepWatch: StepWatch = () => undefined;
