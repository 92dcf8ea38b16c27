import type { SharedTableName } from '#projections';
import type { CleanRequest } from './clean';

export const cleaningSteps = {
  find_due: 'find the data that are older than their age limits',
  apply_age_limits:
    'append a record to each partition, which expires silent nodes and deletes nodes that have been inactive for long, and wait until the projector has applied these records',
  purge_reports: 'delete old reports and events',
  remove_past: 'delete versions of rows that are older than `NODELEDGER_HISTORY`',
  purge_dead_letters: 'purge old dead letters',
  purge_audit_log: 'delete old entries of the audit log',
  collect_environments: 'delete environments without references',
  collect_producers: 'delete producers without references',
  collect_fact_paths: 'delete paths of facts without references',
  collect_resource_contents: 'delete contents of resources without references',
  collect_packages: 'delete packages without references',
} as const satisfies Readonly<Record<`collect_${SharedTableName}`, string>> & Readonly<Record<string, string>>;

export type CleaningStep = keyof typeof cleaningSteps;

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
