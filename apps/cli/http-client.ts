/**
 * Speaks HTTP to a running service, for every verb that does: over HTTPS with a client certificate, with the token of
 * NODELEDGER_TOKEN, and with the same words for what goes wrong.
 */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Command } from 'commander';
import { readNamedFile, readSettings, tokenHeaders } from '#config';
import { Fault } from '#fault';
import { ownServiceUrl } from './service-url';

/** Flags of every verb that speaks to a service. */
export interface ServiceFlags {
  /** `http://host:port`, perhaps with a path in front. */
  readonly url: string;
  /** Files (PEM). Where absent, those of the settings NODELEDGER_TLS_CERT, NODELEDGER_TLS_KEY and NODELEDGER_TLS_CA. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export const withService = (command: Command): Command =>
  command
    .option('--url <address>', 'address of the service, if not the one of the settings', ownServiceUrl())
    .option('--cert <file>', 'for HTTPS: client certificate (default: NODELEDGER_TLS_CERT)')
    .option('--key <file>', 'its private key (default: NODELEDGER_TLS_KEY)')
    .option('--ca <file>', "authorities of the service's certificate (default: NODELEDGER_TLS_CA, or the system's)");

export interface Sent {
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | Readable;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface HttpClientOptions {
  /** The most connections; they stay open until `close`. Default: a new connection for each request. */
  readonly connections?: number;
  /** How long the service may stay silent, in milliseconds. Default: as long as it likes. */
  readonly silenceMs?: number;
}

/** Faults: `cli.unreachable` (busy) where nobody answers, `cli.connection` (malformed) where the sides do not get on. */
export class HttpClient {
  private readonly base: string;
  private readonly isSecure: boolean;
  private readonly agent: HttpAgent | HttpsAgent;
  private material: Promise<SecureContextOptions> | undefined;

  constructor(
    private readonly flags: ServiceFlags,
    private readonly options: HttpClientOptions = {},
  ) {
    this.base = flags.url.replace(/\/+$/, '');
    this.isSecure = new URL(flags.url).protocol === 'https:';
    const { connections } = options;
    const agentOptions = connections === undefined ? {} : { keepAlive: true, maxSockets: connections };
    this.agent = this.isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  }

  /** Returns the whole answer, with any status. `path` begins with a slash and may have a query. */
  async exchange(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await this.open(method, path, sent);
    const pieces: Buffer[] = [];
    try {
      for await (const piece of answer) pieces.push(piece as Buffer);
    } catch (error) {
      throw this.failed(error as NodeJS.ErrnoException);
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) };
  }

  /** The answer as soon as its headers are there; its body is to be read or destroyed. */
  async open(method: string, path: string, { headers, body, signal }: Sent = {}): Promise<IncomingMessage> {
    const { silenceMs } = this.options;
    const options: RequestOptions = {
      method,
      agent: this.agent,
      headers: { ...headers, ...tokenHeaders() },
      ...(signal === undefined ? {} : { signal }),
      ...(silenceMs === undefined ? {} : { timeout: silenceMs }),
      ...(this.isSecure ? await (this.material ??= readMaterial(this.flags)) : {}),
    };
    return new Promise((resolve, reject) => {
      const url = this.base + path;
      const request = this.isSecure ? httpsRequest(url, options) : httpRequest(url, options);
      request.on('response', resolve);
      request.on('timeout', () => request.destroy(new Error(`no answer within ${(silenceMs ?? 0) / 1000} s`)));
      request.on('error', (error) => reject(signal?.aborted ? error : this.failed(error)));
      if (body instanceof Readable) body.on('error', (error) => request.destroy(error)).pipe(request);
      else request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private failed(error: NodeJS.ErrnoException): Fault {
    const { url } = this.flags;
    if (error.code === 'ECONNREFUSED') {
      return new Fault('busy', 'cli.unreachable', `no service answers at ${url}`, {
        hint: 'Start it, or name its address: --url http://HOST:PORT.',
        cause: error,
      });
    }
    return new Fault('malformed', 'cli.connection', `the connection to ${url} failed: ${error.message}`, {
      hint: this.isSecure
        ? 'The authority of its certificate is named by --ca (NODELEDGER_TLS_CA), and the certificate that this program shows by --cert and --key.'
        : 'If the service speaks HTTPS at this address, write https:// in --url.',
      cause: error,
    });
  }
}

async function readMaterial(flags: ServiceFlags): Promise<SecureContextOptions> {
  const { settings } = readSettings([]);
  const paths = {
    cert: flags.cert ?? settings.tlsCert,
    key: flags.key ?? settings.tlsKey,
    ca: flags.ca ?? settings.tlsCa,
  };
  const read = async (what: string, path: string | undefined): Promise<string | undefined> =>
    path === undefined ? undefined : readNamedFile({ what, path, code: 'tls.file' });
  const [cert, key, ca] = await Promise.all([
    read('the client certificate', paths.cert),
    read('its private key', paths.key),
    read('the certificates of the authorities', paths.ca),
  ]);
  const options = {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(ca === undefined ? {} : { ca }),
  };
  try {
    createSecureContext(options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const used = Object.values(paths).filter((path) => path !== undefined);
    throw new Fault('malformed', 'tls.refused', `OpenSSL does not accept ${used.join(', ')}: ${reason}`, {
      hint: 'Name a certificate and the private key that belongs to it, both in PEM form.',
      cause,
    });
  }
  return options;
}
