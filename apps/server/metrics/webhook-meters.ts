import { type AttemptOutcome, attemptOutcomes, type WebhookObserver } from '#changes';
import { MeterSet, Timer } from '#metrics';

export class WebhookMeters implements WebhookObserver {
  readonly times = new MeterSet(['outcome'], () => new Timer());

  constructor() {
    for (const outcome of attemptOutcomes) this.times.of(outcome);
  }

  attempted(outcome: AttemptOutcome, ms: number): void {
    this.times.of(outcome).record(ms);
  }
}
