/**
 * The state of the console is the address in the browser, so that Back returns to an earlier state and links can be
 * shared.
 */
import { useEffect, useState } from 'preact/hooks';
import { currentAsOf } from '../service/as-of';

export interface Address {
  /** Decoded segments of the path below /console/. */
  readonly path: readonly string[];
  readonly params: ReadonlyMap<string, string>;
}

export type Params = Readonly<Record<string, string | undefined>>;

/**
 * URL of /console/, with the path prefix that a proxy can add. `first.ts` has made the base URL of the page absolute.
 */
const root = new URL(document.baseURI);
const listeners = new Set<() => void>();

export function currentAddress(): Address {
  const below = location.pathname.startsWith(root.pathname) ? location.pathname.slice(root.pathname.length) : '';
  const path = below
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  return { path, params: new Map(new URLSearchParams(location.search)) };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the href of a page. Adds the viewed time as `as_of`, and omits parameters without a value. */
export function hrefTo(path: readonly string[], params: Params = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ as_of: currentAsOf(), ...params }))
    if (value !== undefined && value !== '') search.set(name, value);
  const query = search.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  // The href is absolute, because an empty relative URL would lead to the base URL, which is the overview.
  return `${root.pathname}${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

export function hrefWith(address: Address, changes: Params): string {
  return hrefTo(address.path, { ...Object.fromEntries(address.params), ...changes });
}

/** Opens a page of the console. If `replace` is true, Back skips the current page. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  for (const listener of listeners) listener();
}

export function useAddress(): Address {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const listener = (): void => setAddress(currentAddress());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return address;
}

/** Makes links of the console change the address without loading a page. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    for (const listener of listeners) listener();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || !link.pathname.startsWith(root.pathname)) return;
    event.preventDefault();
    const isOtherPage = link.pathname !== location.pathname;
    go(link.href);
    if (isOtherPage) scrollTo(0, 0);
  });
}
