import { errorHeader, isFaultCode } from '#fault';
import type { FastifyReply, FastifyRequest } from '#http';
import { Counter, MeterSet, Rates, Timer } from '#metrics';
import { otherRoute, pathsAbove, routeName } from './route-name';

/** What is measured of requests. Their paths are those of routes. */
export class HttpMeters {
  /** By route. */
  readonly times = new MeterSet(['route'], () => new Timer());
  /** By route and status. */
  readonly answers = new MeterSet(['route', 'status'], () => new Rates());
  /** Errors by route and code. */
  readonly errors = new MeterSet(['route', 'code'], () => new Counter());
  /** By path, with all that is below it. */
  readonly timesBelow = new MeterSet(['path'], () => new Timer());
  readonly answersBelow = new MeterSet(['path', 'status'], () => new Rates());

  answered(request: FastifyRequest, reply: FastifyReply): void {
    const route = routeName(request.routeOptions.url, request.url);
    const ms = reply.elapsedTime;
    const code = statusText(reply.statusCode);
    this.times.of(route).record(ms);
    this.answers.of(route, code).mark();
    const fault = reply.getHeader(errorHeader);
    if (typeof fault === 'string' && isFaultCode(fault)) this.errors.of(route, fault).add();
    if (route === otherRoute) return;
    for (const path of pathsAbove(route)) {
      this.timesBelow.of(path).record(ms);
      this.answersBelow.of(path, code).mark();
    }
  }
}

const texts: string[] = [];
const statusText = (status: number): string => (texts[status] ??= String(status));
