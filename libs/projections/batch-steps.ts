/** Steps of a batch and their meanings. Their times are measured, and have no other effect. */
export const batchSteps = {
  load: 'what is stored of the nodes of the batch is looked up',
  inflate: 'payloads are inflated, as far as that is waited for',
  read_facts: 'factsets are read, checked and folded',
  read_catalogs: 'catalogs are read, checked and folded',
  hash_catalogs: 'catalogs are compared with the stored ones, and hashed',
  read_reports: 'reports are read, checked and folded',
  read_others: 'all other commands are read, checked and folded',
  prepare_facts: 'facts are compared with the stored ones, and rows are made of what differs',
  prepare_catalogs: 'rows are made of catalogs',
  prepare_reports: 'rows are made of reports; what is stored already is looked up',
  lock: 'locks are waited for, and the positions are moved',
  write_names: 'environments and producers',
  remove_rows: 'rows of nodes and reports that are deleted',
  write_nodes: 'rows of nodes',
  write_facts: 'rows of factsets, facts, their paths, and packages',
  write_catalogs: 'rows of catalogs themselves',
  write_resources: 'rows of their resources',
  write_edges: 'rows of their edges',
  write_inputs: 'rows of catalog inputs',
  write_reports: 'rows of reports',
  write_events: 'rows of their events',
  write_timeline: 'rows of the timeline',
  write_letters: 'dead letters, and those who wait for commands are told',
  commit: 'PostgreSQL commits',
} as const;

export type BatchStep = keyof typeof batchSteps;

/** Called when a step has ended. The step began when the previous one ended. A step may occur several times. */
export type StepWatch = (step: BatchStep) => void;

export const noStepWatch: StepWatch = () => undefined;
