import type { SharedTableName } from '#projections';
import type { CleanRequest } from './clean';

/** The steps of a cleaning, each with the description in the metrics. */
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

/** Observes the steps of cleanings, for metrics. The methods of this class do nothing; subclasses override them. */
export class CleaningObserver {
  started(_request: CleanRequest): void {}

  /**
   * Called when a step has ended. The step began when the previous step ended. A step may occur several times in a
   * cleaning.
   */
  did(_step: CleaningStep): void {}

  /** `done` is false if the cleaning failed or was stopped. */
  ended(_done: boolean): void {}
}
