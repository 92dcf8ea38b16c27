import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FaultCode } from '#fault';
import { type Limits, overLimit } from '#limits';
import { closeGently } from './close-gently';
import { answerFault, codeHeader, textType } from './fault-answer';
import type { OpenRequests } from './open-requests';
import { securityHeaders } from './security-headers';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/**
 * Answers input that Node.js cannot parse as a request. The status is 431 if URL and headers exceed the limit, 408 if
 * the request arrives too slowly, and 400 if the input is not HTTP.
 */
export function answerClientErrors(server: Server, open: OpenRequests, limits: Limits): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // If an answer is being sent, no second answer is possible: the client would read it as part of the first answer.
    if (!socket.writable || error.code === 'ECONNRESET' || open.isAnswering(socket)) {
      socket.destroy();
      return;
    }
    closeGently(socket, rawAnswer(answerTo(error, limits)));
  });
}

function answerTo(error: NodeJS.ErrnoException, limits: Limits): RawAnswer {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'http.limit', text: answerFault(overLimit(limits, 'headerBytes')).body };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        code: 'http.chunk-extensions',
        text: 'The chunks of the body have extensions that are too long.',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'http.slow', text: 'The request took too long to arrive.' };
    default:
      return { status: 400, code: 'http.unreadable', text: 'The request is not HTTP that this service understands.' };
  }
}

interface RawAnswer {
  readonly status: number;
  readonly code: FaultCode;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const lastHeaders = ({
  code,
  text,
  headers,
}: Omit<RawAnswer, 'status'>): Readonly<Record<string, string | number>> => ({
  ...codeHeader(code),
  ...securityHeaders,
  ...headers,
  'content-type': textType,
  'content-length': Buffer.byteLength(text),
});

export const rawAnswer = (answer: RawAnswer): string =>
  [
    `HTTP/1.1 ${answer.status} ${reasons[answer.status]}`,
    ...Object.entries(lastHeaders(answer)).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    '',
    answer.text,
  ].join('\r\n');
