import type { SharedTableName } from '#projections';
import type { CleanRequest } from './clean';

/** The steps of a cleaning, each with what is done in it. */
export const cleaningSteps = {
  find_due: 'what is older than its age limit is looked up',
  apply_age_limits:
    'nodes expire, and nodes that are inactive for long are deleted: each partition gets a record, which is applied',
  purge_reports: 'old reports and events are deleted',
  remove_past: 'versions of rows from before the history are deleted',
  purge_dead_letters: 'old dead letters are purged',
  purge_audit_log: 'old entries of the audit log are deleted',
  collect_environments: 'environments that nothing refers to any more are deleted',
  collect_producers: 'the same for producers',
  collect_fact_paths: 'the same for paths of facts',
  collect_resource_contents: 'the same for contents of resources',
  collect_packages: 'the same for packages',
} as const satisfies Readonly<Record<`collect_${SharedTableName}`, string>> & Readonly<Record<string, string>>;

export type CleaningStep = keyof typeof cleaningSteps;

/** Gets a call for each step of a cleaning, for metrics. This class does nothing. */
export class CleaningObserver {
  started(_request: CleanRequest): void {}

  /** The step has ended that began when the one before it ended. A step may come several times. */
  did(_step: CleaningStep): void {}

  /** False: it failed or was stopped. */
  ended(_done: boolean): void {}
}
