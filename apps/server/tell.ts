import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

/** Where something that runs by itself tells what it does and meets. */
export interface Tell {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'met'>;
}
