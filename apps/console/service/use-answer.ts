import { useEffect, useRef, useState } from 'preact/hooks';
import { asOfFor } from './as-of';
import { ask, type Query, Refusal, urlOf } from './ask';

export interface Answer<T> {
  /**
   * The newest data. After a change of the address, this is still the data for the previous address until new data
   * arrives. Until then, `isOld` is true.
   */
  readonly data?: T;
  readonly isOld: boolean;
  /** Time when `data` was received, in milliseconds since 1970. */
  readonly at?: number;
  readonly refusal?: Refusal;
  readonly again: () => void;
}

interface Kept {
  readonly data: unknown;
  readonly at: number;
}

/** The latest answers by URL, so that Back shows a page without waiting. */
const kept = new Map<string, Kept>();
const mostKept = 60;

export function keep(key: string, data: unknown): Kept {
  const entry = { data, at: Date.now() };
  kept.delete(key);
  kept.set(key, entry);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return entry;
}

export const recall = (key: string): unknown => kept.get(key)?.data;

/**
 * Call this function when another viewer signs in, because this viewer may lack the permission to see the cached
 * answers.
 */
export const forgetAnswers = (): void => kept.clear();

export interface AskOptions {
  /** Seconds after which the request is repeated while the page is visible. */
  readonly every?: number;
  /** Whether the page shows the data for the previous address, dimmed, until the new data arrives. */
  readonly keepOld?: boolean;
}

/** Repeats the request when `path` or `query` changes. Sends no request if `path` is undefined. */
export function useAnswer<T>(path: string | undefined, query: Query = {}, options: AskOptions = {}): Answer<T> {
  const key = path === undefined ? undefined : urlOf(path, query).href;
  const [, setRevision] = useState(0);
  const [times, setTimes] = useState(0);
  const state = useRef<{ key: string | undefined; entry?: Kept; entryKey?: string; refusal?: Refusal }>({ key });
  const current = state.current;
  if (current.key !== key) {
    const { entry, entryKey } = current;
    const old = options.keepOld === false || entry === undefined ? {} : { entry, entryKey: entryKey! };
    state.current = { key, ...old };
  }
  const found = key === undefined ? undefined : kept.get(key);
  if (found !== undefined && state.current.entryKey !== key) {
    state.current.entry = found;
    state.current.entryKey = key!;
  }
  useEffect(() => {
    if (path === undefined || key === undefined) return;
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const mine = state.current;
      try {
        const entry = keep(key, await ask<T>(path, query, stopping.signal));
        if (stopping.signal.aborted || mine.key !== key) return;
        state.current = { key, entry, entryKey: key };
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        state.current = { ...state.current, refusal: error };
      }
      setRevision((revision) => revision + 1);
      const retry = state.current.refusal !== undefined && isPassing(state.current.refusal) ? 5 : undefined;
      // The past does not change, so requests about the past are not repeated.
      const seconds = retry ?? (asOfFor(path) === undefined ? options.every : undefined);
      if (seconds !== undefined) timer = setTimeout(readIfVisible, seconds * 1000);
    };
    const readIfVisible = (): void => {
      if (document.visibilityState === 'visible') void read();
      else document.addEventListener('visibilitychange', readIfVisible, { once: true, signal: stopping.signal });
    };
    void read();
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, [key, times]);
  const { entry, entryKey, refusal } = state.current;
  return {
    ...(entry === undefined ? {} : { data: entry.data as T, at: entry.at }),
    ...(refusal === undefined ? {} : { refusal }),
    isOld: entry !== undefined && entryKey !== key,
    again: () => setTimes((count) => count + 1),
  };
}

/** Returns whether the same request can succeed later. */
export const isPassing = ({ status }: Refusal): boolean =>
  status === 0 || status === 429 || status === 503 || status === 504;
