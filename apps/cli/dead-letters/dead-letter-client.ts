import { askService, type Question } from '../ask-service';
import type { ServiceFlags } from '../http-client';

/** Client for the dead letters of a running service. Faults: those of `askService`. */
export class DeadLetterClient {
  constructor(private readonly flags: ServiceFlags) {}

  /** Requests a path below `/nodeledger/v1/dead-letters`. */
  async json<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    parameters: NonNullable<Question['parameters']> = {},
  ): Promise<T> {
    return (await (await this.ask(path, { method, parameters })).json()) as T;
  }

  async bytes(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.ask(path, {})).arrayBuffer());
  }

  private ask(path: string, question: Question): Promise<Response> {
    return askService(this.flags, `/nodeledger/v1/dead-letters${path === '' ? '' : `/${path}`}`, question);
  }
}
