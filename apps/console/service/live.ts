/**
 * All tabs share one connection, because a browser opens at most six connections to a server. The tab that holds a lock
 * has the connection, and passes the changes on to the other tabs. If this tab closes, another tab gets the lock and
 * continues after the last change.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from './shapes';
import { urlOf } from './ask';

type Message =
  | { readonly is: 'change'; readonly entry: TimelineEntry; readonly lastId: string }
  | { readonly is: 'state'; readonly isLive: boolean }
  | { readonly is: 'question' };

type Listener = (entry: TimelineEntry) => void;

interface CloudEvent {
  readonly data: TimelineEntry;
}

/** Values for members that are missing in the event about a deleted node. */
const empty = { changes: [], changes_left_out: 0, added: 0, changed: 0, removed: 0, seen_count: 1 } as const;

const path = 'nodeledger/v1/changes';
/**
 * If the service refuses a connection, the console tries again after the shortest pause, and doubles the pause after
 * each further refusal, up to the longest pause. If a connection breaks, the browser itself connects again.
 */
const shortestRetryMs = 5_000;
const longestRetryMs = 60_000;

/**
 * Browsers provide locks only over HTTPS, or over HTTP to the same machine. Without locks, pages repeat their requests
 * every few seconds.
 */
export const canFollow = (): boolean => 'locks' in navigator && 'BroadcastChannel' in globalThis;

class Live {
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<(isLive: boolean) => void>();
  private channel: BroadcastChannel | undefined;
  private stopping: AbortController | undefined;
  private lastId: string | undefined;
  private isConnected = false;
  isLive = false;

  follow(listener: Listener, watcher: (isLive: boolean) => void): () => void {
    this.listeners.add(listener);
    this.watchers.add(watcher);
    if (this.stopping === undefined) this.start();
    return () => {
      this.listeners.delete(listener);
      this.watchers.delete(watcher);
      if (this.listeners.size === 0) this.stop();
    };
  }

  private start(): void {
    const name = urlOf(path).pathname;
    const stopping = new AbortController();
    this.stopping = stopping;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => this.receive(data);
    this.channel.postMessage({ is: 'question' } satisfies Message);
    const hold = (): Promise<void> => this.connect(stopping.signal);
    navigator.locks.request(name, { signal: stopping.signal }, hold).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  }

  private stop(): void {
    this.stopping?.abort();
    this.stopping = undefined;
    this.channel?.close();
    this.channel = undefined;
    // From now on, this browser misses changes, so a later connection begins with the present.
    this.lastId = undefined;
    this.isLive = false;
  }

  private receive(message: Message): void {
    if (message.is === 'question') {
      if (this.isConnected) this.tell({ is: 'state', isLive: true });
    } else if (message.is === 'state') this.setLive(message.isLive);
    else {
      this.lastId = message.lastId;
      this.setLive(true);
      for (const listener of this.listeners) listener(message.entry);
    }
  }

  private tell(message: Message): void {
    this.channel?.postMessage(message);
    this.receive(message);
  }

  private setLive(isLive: boolean): void {
    if (this.isLive === isLive) return;
    this.isLive = isLive;
    for (const watcher of this.watchers) watcher(isLive);
  }

  /** The tab holds the lock until the returned promise resolves, which happens when `stopping` aborts. */
  private connect(stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let source: EventSource | undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let retryMs = shortestRetryMs;
      const open = (): void => {
        source = new EventSource(urlOf(path, { last_event_id: this.lastId }));
        source.onopen = () => {
          retryMs = shortestRetryMs;
          this.isConnected = true;
          this.tell({ is: 'state', isLive: true });
        };
        source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
          const { data: entry } = JSON.parse(data) as CloudEvent;
          this.tell({ is: 'change', entry: { ...empty, ...entry }, lastId: lastEventId });
        };
        source.onerror = () => {
          this.isConnected = false;
          this.tell({ is: 'state', isLive: false });
          if (source?.readyState !== EventSource.CLOSED) return;
          // The service has refused the request, possibly because it no longer has the changes after `lastId`.
          if (retryMs > shortestRetryMs) this.lastId = undefined;
          timer = setTimeout(open, retryMs);
          retryMs = Math.min(longestRetryMs, retryMs * 2);
        };
      };
      stopping.addEventListener('abort', () => {
        source?.close();
        clearTimeout(timer);
        this.isConnected = false;
        resolve();
      });
      open();
    });
  }
}

const live = new Live();

/** Calls `onChange` with each change while `isWanted` is true. Returns whether the connection is open. */
export function useLive(isWanted: boolean, onChange: Listener): boolean {
  const [isLive, setLive] = useState(live.isLive);
  const listener = useRef(onChange);
  listener.current = onChange;
  useEffect(() => {
    if (!isWanted || !canFollow()) return;
    setLive(live.isLive);
    return live.follow((entry) => listener.current(entry), setLive);
  }, [isWanted]);
  return isWanted && isLive;
}
