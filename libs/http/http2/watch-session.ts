import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { Allowance } from '#limits';
import type { UnreadAnswers } from '../unread-answers';

export interface SessionTimes {
  /** How long, in milliseconds, a new session may stay open before its first request. */
  readonly firstMs: number;
  /** How long, in milliseconds, a session may stay open after the end of its last request. */
  readonly idleMs: number;
  readonly unread: UnreadAnswers;
}

/**
 * Limits on the requests that a client cancels, because a request that is cancelled at once costs the service more than
 * the client. A browser that leaves a page cancels all requests of the page at once, so `atOnce` must exceed the number
 * of streams. Browsers rarely do this, so `perSecond` can be low.
 */
const cancellationLimits = { perSecond: 20, atOnce: 200 };
/** Milliseconds that a client has to close its connection after the server has asked it to. */
const lingerMs = 2_000;

/**
 * Ends connections that are idle, and connections whose clients cancel too many requests. Also ends answers that the
 * client does not read.
 */
export function watchSession(
  session: Http2Session,
  socket: TLSSocket,
  { firstMs, idleMs, unread }: SessionTimes,
): void {
  const allowance = new Allowance(cancellationLimits.perSecond, cancellationLimits.atOnce);
  const linger = (): void => void setTimeout(() => socket.destroy(), lingerMs).unref();
  const end = (): void => {
    session.close();
    linger();
  };
  let open = 0;
  let idle: NodeJS.Timeout | undefined = setTimeout(end, firstMs).unref();
  const countUnanswered = (): void => {
    const now = performance.now();
    if (allowance.waitMs(now) > 0) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    else allowance.take(now);
  };
  session.on('stream', (stream: ServerHttp2Stream) => {
    if (stream.destroyed) return countUnanswered();
    clearTimeout(idle);
    open += 1;
    unread.watchStream(stream, socket);
    stream.once('close', () => {
      open -= 1;
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) countUnanswered();
      if (open === 0 && !socket.destroyed) idle = setTimeout(end, idleMs).unref();
    });
  });
  // The event `finish` means that the last frames were sent.
  socket.once('finish', linger);
  socket.once('close', () => clearTimeout(idle));
}
