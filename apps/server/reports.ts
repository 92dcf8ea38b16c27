import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

/** Where a task that runs by itself reports what it does, and what fails. */
export interface Reports {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
}
