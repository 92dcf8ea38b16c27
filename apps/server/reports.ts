import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

/** Receivers for the results and failures of a background task. */
export interface Reports {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
}
