import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tokenHeaders } from '#config';
import { Fault } from '#fault';
import type { FleetDocument } from '#fleet';

const compress = promisify(gzip);

/** How long a server may stay silent before a request counts as failed. */
const SILENCE_MS = 120_000;

/** The bytes of a command as they go over the line. */
interface EncodedCommand {
  /** Path and query below the server's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

/** The submission of a document in the preferred form: parameters in the address, the payload as the body. */
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

/** Submits commands and asks queries over connections that stay open. */
export class ServerLink {
  private readonly base: URL;
  private readonly agent: HttpAgent | HttpsAgent;

  /** `url`: `http://host:port`, perhaps with a path in front of `/pdb`. */
  constructor(url: string, options: { readonly connections: number }) {
    this.base = new URL(url);
    const settings = { keepAlive: true, maxSockets: options.connections };
    this.agent = this.base.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
  }

  /** Submits one command; gives the uuid that the server answers. Fault('broken', 'fleet.refused') for any answer but a 200. */
  async submit(command: EncodedCommand): Promise<string> {
    const answer = await this.exchange('POST', command.path, command.headers, command.body);
    if (answer.status !== 200) throw refused('the command', answer);
    const { uuid } = JSON.parse(answer.text) as { uuid?: unknown };
    if (typeof uuid !== 'string') throw refused('the command', answer);
    return uuid;
  }

  /** The answer to a query (an AST) on an entity, parsed. */
  async ask(entity: string, query: unknown): Promise<unknown> {
    const path = `/pdb/query/v4/${entity}?query=${encodeURIComponent(JSON.stringify(query))}`;
    const answer = await this.exchange('GET', path, { accept: 'application/json' }, undefined);
    if (answer.status !== 200) throw refused(`the query on ${entity}`, answer);
    return JSON.parse(answer.text);
  }

  close(): void {
    this.agent.destroy();
  }

  private exchange(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | number>>,
    body: Buffer | undefined,
  ): Promise<Answer> {
    const { base, agent } = this;
    const options = { method, agent, headers: { ...headers, ...tokenHeaders() }, timeout: SILENCE_MS };
    const url = base.href.replace(/\/$/, '') + path;
    return new Promise((resolve, reject) => {
      const request = base.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', reject);
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${SILENCE_MS / 1000} s`)));
      request.on('error', reject);
      request.end(body);
    });
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function refused(what: string, answer: Answer): Fault {
  return new Fault('broken', 'fleet.refused', `${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
}
