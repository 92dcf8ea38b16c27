import type { Alerts, Log } from '#observe';
import type { Outages } from './outages';

export interface Reports {
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
}
