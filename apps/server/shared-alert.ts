import type { Alerts, AlertText } from '#observe';

type AlertCode = Parameters<Alerts['raise']>[0];

/** An alert that several parts of the service raise. It ends when each of them has cleared it. */
export class SharedAlert {
  private readonly raisedBy = new Set<object>();

  constructor(
    private readonly alerts: Pick<Alerts, 'raise' | 'clear'>,
    private readonly code: AlertCode,
  ) {}

  raise(part: object, text: AlertText): void {
    this.raisedBy.add(part);
    this.alerts.raise(this.code, text);
  }

  clear(part: object): void {
    this.raisedBy.delete(part);
    if (this.raisedBy.size === 0) this.alerts.clear(this.code);
  }
}
