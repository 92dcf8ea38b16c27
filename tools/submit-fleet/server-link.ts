import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FleetDocument } from '#fleet';
import type { Answer } from '#http-client';
import { HttpClient, type ServiceFlags } from '../../apps/cli/http-client';

const compress = promisify(gzip);

const SILENCE_MS = 120_000;

interface EncodedCommand {
  /** Path and query, relative to the server's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

export async function encodeCommand(
  document: FleetDocument,
  options: { readonly gzip: boolean },
): Promise<EncodedCommand> {
  const parameters = new URLSearchParams({
    command: document.command.replaceAll(' ', '_'),
    version: String(document.version),
    certname: document.certname,
    'producer-timestamp': document.producerTimestamp,
  });
  const plain = Buffer.from(document.text, 'utf8');
  const body = options.gzip ? await compress(plain) : plain;
  return {
    path: `/pdb/cmd/v1?${parameters}`,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(options.gzip ? { 'content-encoding': 'gzip', 'x-uncompressed-length': plain.length } : {}),
    },
    body,
  };
}

export class ServerLink {
  private readonly client: HttpClient;

  constructor(flags: ServiceFlags, options: { readonly connections: number }) {
    this.client = new HttpClient(flags, { connections: options.connections, silenceMs: SILENCE_MS });
  }

  /** Throws if the status is not 200. */
  async submit({ path, headers, body }: EncodedCommand): Promise<string> {
    const answer = await this.client.exchange('POST', path, { headers, body });
    if (answer.status !== 200) throw refused('the command', answer);
    const { uuid } = JSON.parse(answer.body.toString('utf8')) as { uuid?: unknown };
    if (typeof uuid !== 'string') throw refused('the command', answer);
    return uuid;
  }

  /** Throws if the status is not 200. */
  async ask(entity: string, query: unknown): Promise<unknown> {
    const path = `/pdb/query/v4/${entity}?query=${encodeURIComponent(JSON.stringify(query))}`;
    const answer = await this.client.exchange('GET', path, { headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw refused(`the query on ${entity}`, answer);
    return JSON.parse(answer.body.toString('utf8'));
  }

  close(): void {
    this.client.close();
  }
}

function refused(what: string, { status, body }: Answer): Error {
  const text = body.toString('utf8').slice(0, 300);
  return new Error(`${what} was answered ${status}: ${text}`);
}
