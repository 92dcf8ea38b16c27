import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

/** Objects through which a background task reports its results and failures. */
export interface Reports {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
}
