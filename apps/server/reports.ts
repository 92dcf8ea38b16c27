import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

/** Callbacks of a background task for its results and failures. */
export interface Reports {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
}
