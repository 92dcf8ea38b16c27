import { askService, type Question } from '../ask-service';

/** The dead letters of a running service. Faults as of `askService`. */
export class OfficeLink {
  /** `url` as http://127.0.0.1:8080. */
  constructor(private readonly url: string) {}

  /** Asks below the root of dead letters. */
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
    return askService(this.url, `/nodeledger/v1/dead-letters${path === '' ? '' : `/${path}`}`, question);
  }
}
