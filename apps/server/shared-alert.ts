import type { Alerts, AlertText } from '#observe';

type AlertCode = Parameters<Alerts['raise']>[0];

/** The alert ends when each part that raised it has cleared it. */
export class SharedAlert {
  private readonly texts = new Map<object, AlertText>();

  constructor(
    private readonly alerts: Pick<Alerts, 'raise' | 'clear'>,
    private readonly code: AlertCode,
  ) {}

  raise(part: object, text: AlertText): void {
    this.texts.set(part, text);
    this.alerts.raise(this.code, text);
  }

  clear(part: object): void {
    if (this.texts.size > 0 && !this.texts.delete(part)) return;
    const [other] = this.texts.values();
    if (other === undefined) this.alerts.clear(this.code);
    else this.alerts.raise(this.code, other);
  }
}
