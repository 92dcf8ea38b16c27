/** Sends the token in NODELEDGER_TOKEN, and a client certificate over HTTPS. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Command } from 'commander';
import { readNamedFile, readSettings, tokenHeaders } from '#config';
import { Fault } from '#fault';
import { type Answer, HttpConnection, type HttpConnectionOptions, type HttpRequest } from '#http-client';
import { ownServiceUrl } from './service-url';

export interface ServiceFlags {
  /** Can have a path, for example behind a proxy. */
  readonly url: string;
  /** Paths of PEM files. Default: the settings NODELEDGER_TLS_CERT, NODELEDGER_TLS_KEY and NODELEDGER_TLS_CA. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export const withService = (command: Command): Command =>
  command
    .option('--url <address>', 'address of the service', ownServiceUrl())
    .option('--cert <file>', 'client certificate for HTTPS (default: NODELEDGER_TLS_CERT)')
    .option('--key <file>', 'private key of the client certificate (default: NODELEDGER_TLS_KEY)')
    .option(
      '--ca <file>',
      "CA that signed the service's certificate (default: NODELEDGER_TLS_CA, or the CAs of the system)",
    );

export interface Sent {
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | Readable;
  readonly signal?: AbortSignal;
}

/**
 * Throws `cli.unreachable` if the service does not answer, and `cli.connection` if client and service cannot agree on a
 * connection.
 */
export class HttpClient {
  private readonly connection: HttpConnection;
  private material: Promise<SecureContextOptions> | undefined;

  constructor(
    private readonly flags: ServiceFlags,
    options: HttpConnectionOptions = {},
  ) {
    this.connection = new HttpConnection(flags.url, options);
  }

  /**
   * Returns the answer with its whole body, whatever its status. `path` begins with a slash and can contain a query.
   */
  exchange(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    return this.send(method, path, sent, (request) => this.connection.exchange(request));
  }

  /** Returns the answer as soon as its headers have arrived. The caller must read or destroy the body. */
  open(method: string, path: string, sent: Sent = {}): Promise<IncomingMessage> {
    return this.send(method, path, sent, (request) => this.connection.open(request));
  }

  close(): void {
    this.connection.close();
  }

  private async send<T>(
    method: string,
    path: string,
    { headers, body, signal }: Sent,
    send: (request: HttpRequest) => Promise<T>,
  ): Promise<T> {
    const tls = this.connection.isSecure ? await (this.material ??= readMaterial(this.flags)) : undefined;
    try {
      return await send({ method, path, headers: { ...headers, ...tokenHeaders() }, body, signal, tls });
    } catch (error) {
      throw signal?.aborted ? error : this.failed(error as NodeJS.ErrnoException);
    }
  }

  private failed(error: NodeJS.ErrnoException): Fault {
    const { url } = this.flags;
    if (error.code === 'ECONNREFUSED') {
      return new Fault('busy', 'cli.unreachable', `no service answers at ${url}`, {
        hint: 'Start the service, or give its address with --url http://HOST:PORT.',
        cause: error,
      });
    }
    return new Fault('malformed', 'cli.connection', `the connection to ${url} failed: ${error.message}`, {
      hint: this.connection.isSecure
        ? 'Give the CA of the service with --ca (NODELEDGER_TLS_CA), and a client certificate with --cert and --key.'
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
      hint: 'Give a certificate and its private key, both as PEM files.',
      cause,
    });
  }
  return options;
}
