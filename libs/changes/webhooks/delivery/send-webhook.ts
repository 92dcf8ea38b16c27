/**
 * Sends messages as the Standard Webhooks specification describes. Follows no redirects, and does not store the bodies
 * of answers.
 */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { isFault } from '#fault';
import type { TargetRules } from '../targets/target-rules';
import { signMessage } from '../secrets/signing-secret';

export interface Message {
  /** The id of the event. A retry has the same id. */
  readonly event: string;
  readonly body: Buffer;
}

export interface Attempt {
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  /** Reason for the failure. Contains no text from the receiver. Undefined if the attempt succeeded. */
  readonly error?: string;
  /** Milliseconds that the receiver requests with the header Retry-After. */
  readonly retryAfterMs?: number;
}

export interface SenderOptions {
  readonly rules: TargetRules;
  /** Contains the certificate authorities that the service trusts to sign receivers' certificates. */
  readonly secureContext?: SecureContext | undefined;
  readonly version: string;
  /** Longest time for an attempt in milliseconds, from the lookup of the host to the end of the answer. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;
/**
 * Largest number of bytes that are read from an answer. If an answer is longer, the connection is closed, and the next
 * attempt opens another connection.
 */
const mostAnswerBytes = 65_536;
const mostHeaderBytes = 16_384;
const idleConnectionMs = 60_000;
const mostRetryAfterMs = 3_600_000;

/** Sends messages to one receiver, and keeps the connections open between messages. */
export class WebhookSender {
  private readonly agent: HttpAgent;
  private readonly url: URL;

  /** Throws `webhooks.target` if the URL is not allowed. */
  constructor(
    url: string,
    private readonly keys: readonly Buffer[],
    connections: number,
    private readonly options: SenderOptions,
  ) {
    const { rules, secureContext } = options;
    this.url = rules.read(url);
    const agentOptions = { keepAlive: true, maxSockets: connections, timeout: idleConnectionMs };
    this.agent = this.isSecure
      ? new HttpsAgent({ ...agentOptions, ...(secureContext !== undefined && { secureContext }) })
      : new HttpAgent(agentOptions);
  }

  /** Throws only if `stopping` aborts. */
  async send({ event, body }: Message, stopping?: AbortSignal): Promise<Attempt> {
    const startedAt = performance.now();
    const passed = (): number => Math.round(performance.now() - startedAt);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, this.options.timeoutMs ?? defaultTimeoutMs);
    stopping?.addEventListener('abort', end);
    try {
      stopping?.throwIfAborted();
      const answer = await this.exchange(event, body, ending.signal);
      return { ...outcomeOf(answer), ms: passed() };
    } catch (error) {
      stopping?.throwIfAborted();
      return { status: null, ms: passed(), error: isLate ? 'no answer in time' : reasonOf(error) };
    } finally {
      clearTimeout(late);
      stopping?.removeEventListener('abort', end);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private get isSecure(): boolean {
    return this.url.protocol === 'https:';
  }

  private exchange(event: string, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
    const id = messageId(event);
    const timestamp = Math.floor(Date.now() / 1_000);
    const { rules, version } = this.options;
    const options = {
      method: 'POST',
      agent: this.agent,
      lookup: rules.lookup,
      maxHeaderSize: mostHeaderBytes,
      signal,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'content-length': body.length,
        'user-agent': `nodeledger/${version}`,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': this.keys.map((key) => signMessage(key, id, timestamp, body)).join(' '),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (this.isSecure ? httpsRequest : httpRequest)(this.url, options);
      request.on('error', reject);
      // If the receiver answers 101 and changes the protocol, Node.js reports no error. So the closed connection counts
      // as an error.
      request.on('close', () => reject(new Error('closed')));
      request.on('response', (answer) => {
        let bytes = 0;
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes <= mostAnswerBytes) return;
          // Resolves before the end of the answer, because the status decides the outcome.
          resolve(answer);
          request.destroy();
        });
        answer.on('end', () => resolve(answer));
        answer.on('error', reject);
      });
      request.end(body);
    });
  }
}

/**
 * Hashes the id of the event, because the id can contain a certname with dots. Dots would make the signed text
 * ambiguous.
 */
export const messageId = (event: string): string =>
  `msg_${createHash('sha256').update(event).digest('base64url').slice(0, 27)}`;

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Omit<Attempt, 'ms'> {
  const status = statusCode;
  if (status >= 200 && status < 300) return { status };
  const retryAfterMs = retryAfter(headers['retry-after']);
  const error = status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
  return { status, error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.min(mostRetryAfterMs, ms));
}

function reasonOf(error: unknown): string {
  if (isFault(error)) return error.message;
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] };
  const known = code ?? errors?.[0]?.code;
  return reasons[known ?? ''] ?? (known === undefined ? 'the connection failed' : `the connection failed: ${known}`);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the name server gives no answer',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the CA of the certificate is not known',
  SELF_SIGNED_CERT_IN_CHAIN: 'the CA of the certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the CA of the certificate is not known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};
