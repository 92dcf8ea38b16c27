import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Query, Refusal, urlOf } from './ask';
import { type Answer, keep, recall } from './use-answer';

interface State<Page> {
  readonly key: string;
  readonly pages: readonly Page[];
  /** Key of the list to which `pages` belongs. Differs from `key` until the first page of a new list arrives. */
  readonly pagesKey: string;
  readonly at?: number;
  refusal?: Refusal;
  isAsking: boolean;
}

interface Pages<Page> {
  readonly pages: readonly Page[];
}

export interface PagedAnswer<Page> extends Answer<Pages<Page>> {
  readonly hasMore: boolean;
  /** Does nothing if a request for the next page is already running. */
  readonly more: () => void;
}

/** Key under which the list that was shown last is kept. Back restores the list and the scroll position from it. */
const lastList = 'last list';

interface LastList {
  readonly key: string;
  readonly pages: readonly unknown[];
}

export function usePages<Page>(
  path: string,
  query: Query,
  nextOf: (page: Page, all: readonly Page[]) => Query | undefined,
): PagedAnswer<Page> {
  const key = urlOf(path, query).href;
  const [, setRevision] = useState(0);
  const [times, setTimes] = useState(0);
  const state = useRef<State<Page> | undefined>(undefined);
  if (state.current === undefined) {
    const last = recall(lastList) as LastList | undefined;
    state.current =
      last?.key === key
        ? { key, pages: last.pages as readonly Page[], pagesKey: key, isAsking: false }
        : { key, pages: [], pagesKey: '', isAsking: false };
  }
  const read = useCallback(
    async (more: Query, before: readonly Page[]): Promise<void> => {
      const current = state.current!;
      current.isAsking = true;
      try {
        const page = await ask<Page>(path, { ...query, ...more });
        if (state.current !== current) return;
        const pages = [...before, page];
        state.current = { key, pages, pagesKey: key, at: Date.now(), isAsking: false };
        keep(lastList, { key, pages } satisfies LastList);
      } catch (error) {
        if (state.current !== current) return;
        if (!(error instanceof Refusal)) throw error;
        state.current = { ...current, refusal: error, isAsking: false };
      }
      setRevision((revision) => revision + 1);
    },
    [key],
  );
  useEffect(() => {
    const current = state.current!;
    if (current.key === key && current.pagesKey === key && times === 0) return;
    state.current = { ...current, key, isAsking: true };
    delete state.current.refusal;
    void read({}, []);
  }, [key, times]);
  useEffect(
    () => () => {
      // Discards answers that arrive after the list has been closed.
      state.current = undefined;
    },
    [],
  );
  const { pages, pagesKey, at, refusal } = state.current;
  const lastPage = pages.at(-1);
  const next = lastPage === undefined ? undefined : nextOf(lastPage, pages);
  return {
    ...(pages.length === 0 ? {} : { data: { pages } }),
    ...(at === undefined ? {} : { at }),
    ...(refusal === undefined ? {} : { refusal }),
    isOld: pagesKey !== key,
    hasMore: next !== undefined,
    more: () => {
      const current = state.current;
      if (next === undefined || current === undefined || current.isAsking || current.pagesKey !== current.key) return;
      void read(next, pages);
    },
    again: () => setTimes((count) => count + 1),
  };
}
