/** Speaks to the dead letter office of a running service. Faults: `cli.unreachable` (busy), `cli.refused` (malformed). */
import { tokenHeaders } from '#config';
import { Fault } from '#fault';

type Parameters = Readonly<Record<string, string | number>>;

export class OfficeLink {
  private readonly root: string;

  /** `url` as http://127.0.0.1:8080. */
  constructor(private readonly url: string) {
    this.root = `${url.replace(/\/+$/, '')}/nodeledger/v1/dead-letters`;
  }

  /** Asks below the office's root; what the service says is wrong becomes a fault. */
  async json<T>(method: 'GET' | 'POST' | 'DELETE', path: string, parameters: Parameters = {}): Promise<T> {
    const answer = await this.ask(method, path, parameters);
    return (await answer.json()) as T;
  }

  async bytes(path: string): Promise<Buffer> {
    const answer = await this.ask('GET', path, {});
    return Buffer.from(await answer.arrayBuffer());
  }

  private async ask(method: string, path: string, parameters: Parameters): Promise<Response> {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const address = `${this.root}${path === '' ? '' : `/${path}`}${query.size === 0 ? '' : `?${query}`}`;
    const answer = await fetch(address, { method, headers: tokenHeaders() }).catch((cause: unknown) => {
      throw new Fault('busy', 'cli.unreachable', `no service answers at ${this.url}`, {
        hint: 'Start it, or name its address: --url http://127.0.0.1:8080.',
        cause,
      });
    });
    if (!answer.ok) throw new Fault('malformed', 'cli.refused', said(await answer.text(), answer.status));
    return answer;
  }
}

/** The service's own words. */
function said(body: string, status: number): string {
  try {
    const { error, msg } = JSON.parse(body) as { error?: unknown; msg?: unknown };
    const text = error ?? msg;
    if (typeof text === 'string') return text;
  } catch {
    // Not JSON: told as it is.
  }
  return `the service answered ${status}: ${body.slice(0, 300)}`;
}
