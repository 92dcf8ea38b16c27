import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FaultCode } from '#fault';
import type { Example } from './example';

export interface Asked {
  readonly method?: string;
  /** The parameters of the URL, not encoded. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Describes the request, instead of its text. */
  readonly given?: string;
}

export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
}

export async function ask(url: string, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', parameters = {}, headers = {}, body } = asked;
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: new Headers([
      ...(body === undefined || 'Content-Type' in headers ? [] : [['content-type', 'application/json'] as const]),
      ...Object.entries(headers),
    ] as [string, string][]),
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  });
  const code = response.headers.get('x-nodeledger-error') ?? undefined;
  return { status: response.status, code, text: await response.text() };
}

function shown(path: string, { method = 'GET', parameters = {}, headers = {}, body, given }: Asked): string {
  if (given !== undefined) return given;
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return [
    `${method} ${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [body.toString()]),
  ].join('\n');
}

/** Sends a request, whose answer must have this code. */
export async function answered(code: FaultCode, url: string, path: string, asked: Asked = {}): Promise<Example> {
  const answer = await ask(url, path, asked);
  return checked(code, shown(path, asked), answer);
}

export function checked(code: FaultCode, given: string, answer: Answer): Example {
  if (answer.code !== code) {
    throw new Error(`${given}: ${answer.status} ${answer.code} in place of ${code}: ${answer.text}`);
  }
  return { code, given, status: answer.status, text: answer.text };
}

export async function socketTo(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes over a connection and returns the answer. */
export async function sendBytes(socket: Socket, bytes: string): Promise<Answer> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  const end = once(socket, 'close');
  socket.write(bytes);
  await end;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(head.slice(9, 12)),
    code: /^x-nodeledger-error: (.*)$/m.exec(head)?.[1]?.trim(),
    text: body,
  };
}
