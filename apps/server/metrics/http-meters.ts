import { type Answer, otherRoute } from '#http';
import { Counter, MeterSet, Rates, Timer } from '#metrics';
import { pathsAbove } from './paths-above';

/** The paths that clients send are never labels, because their number is unlimited. */
export class HttpMeters {
  readonly times = new MeterSet(['route'], () => new Timer());
  readonly answers = new MeterSet(['route', 'status'], () => new Rates());
  readonly errors = new MeterSet(['route', 'code'], () => new Counter());
  /** The time of a request is recorded for the path of its route and for each path above it. */
  readonly timesBelow = new MeterSet(['path'], () => new Timer());
  readonly answersBelow = new MeterSet(['path', 'status'], () => new Rates());

  answered({ route, status, ms, code }: Answer): void {
    const text = statusText(status);
    this.times.of(route).record(ms);
    this.answers.of(route, text).mark();
    if (code !== undefined) this.errors.of(route, code).add();
    if (route === otherRoute) return;
    for (const path of pathsAbove(route)) {
      this.timesBelow.of(path).record(ms);
      this.answersBelow.of(path, text).mark();
    }
  }
}

const texts: string[] = [];
const statusText = (status: number): string => (texts[status] ??= String(status));
