/** Renders only the visible rows of a long table. The page scrolls, not the table. */
import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  /** Heights in pixels of the rows before and after the rendered rows. */
  readonly before: number;
  readonly after: number;
  readonly measure: (element: Element | null) => void;
}

export function useVirtualRows(count: number, rowHeight: number, top: () => number): VirtualRows {
  const [, render] = useReducer((revision: number) => revision + 1, 0);
  const options = {
    count,
    estimateSize: () => rowHeight,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    scrollMargin: top(),
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    overscan: 12,
    onChange: () => render(0),
  };
  const [rows] = useState(() => new Virtualizer<Window, Element>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  const items = rows.getVirtualItems();
  const [first] = items;
  const last = items.at(-1);
  return {
    items,
    before: first === undefined ? 0 : first.start - options.scrollMargin,
    after: last === undefined ? 0 : rows.getTotalSize() - (last.end - options.scrollMargin),
    measure: rows.measureElement,
  };
}
