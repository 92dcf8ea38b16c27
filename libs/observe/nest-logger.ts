import type { LoggerService } from '@nestjs/common';
import type { Log } from './log';

/** NestJS lists routes and modules at the start. These messages get the level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly log_: Log) {}

  log(message: unknown, ...context: unknown[]): void {
    this.log_.debug(this.fields(context), String(message));
  }
  error(message: unknown, ...context: unknown[]): void {
    if (message instanceof Error) this.log_.error({ err: message });
    else this.log_.error(this.fields(context), String(message));
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.log_.warn(this.fields(context), String(message));
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.log_.debug(this.fields(context), String(message));
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.log_.trace(this.fields(context), String(message));
  }

  /** NestJS passes the name of the logging class as the last argument. */
  private fields(context: unknown[]): object {
    const name = context.at(-1);
    return typeof name === 'string' ? { part: name } : {};
  }
}
