import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { Allowance } from '#limits';
import type { UnreadAnswers } from '../unread-answers';

export interface SessionTimes {
  /** Until the first request is there. */
  readonly firstMs: number;
  /** Between the end of the last request and the next one. */
  readonly idleMs: number;
  readonly unread: UnreadAnswers;
}

/**
 * A client may take back requests before they are answered, and each has cost more to begin than to take back. A page that
 * is left takes back all that it has asked for, which is at most the number of streams; nobody leaves pages all the time.
 */
const takenBack = { perSecond: 20, atOnce: 200 };
/** A client that is told that its connection ends has so long to close it. */
const lingerMs = 2_000;

/** Ends a connection that is not used, or whose client takes back requests too often, and answers that nobody reads. */
export function watchSession(
  session: Http2Session,
  socket: TLSSocket,
  { firstMs, idleMs, unread }: SessionTimes,
): void {
  const allowance = new Allowance(takenBack.perSecond, takenBack.atOnce);
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
  // What is said last has been sent.
  socket.once('finish', linger);
  socket.once('close', () => clearTimeout(idle));
}
