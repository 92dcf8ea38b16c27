/** Viewers can turn off single-key shortcuts, because speech input can trigger them by mistake (WCAG 2.1.4). */
import { useEffect } from 'preact/hooks';
import { go, hrefTo } from '../address/address';
import { navigationPages } from './navigation';

const storageKey = 'nodeledger.keys';

export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // If the browser refuses to store the choice, the shortcuts stay as they are.
  }
}

const isTyping = (event: KeyboardEvent): boolean => {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
};

export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

interface ShellKeys {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  readonly onTime: () => void;
}

export function useShellKeys({ onSearch, onHelp, onTime }: ShellKeys): void {
  useEffect(() => {
    let wasG = 0;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        if (!isDialogOpen()) onSearch();
        return;
      }
      if (!isSingleKey(event)) return;
      if (Date.now() - wasG < 1500) {
        wasG = 0;
        const page = navigationPages.find(({ key }) => key === event.key);
        if (page !== undefined) {
          event.preventDefault();
          go(hrefTo(page.path));
          scrollTo(0, 0);
        }
        return;
      }
      if (event.key === 'g') wasG = Date.now();
      else if (event.key === '/') onSearch();
      else if (event.key === '?') onHelp();
      else if (event.key === 't') onTime();
      else if (event.key === 'j' || event.key === 'k') moveFocus(event.key === 'j' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  hasSingleKeys() &&
  !isTyping(event) &&
  !isDialogOpen();

function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null);
  const active = document.activeElement?.closest<HTMLElement>('[data-row]');
  const index = active === null || active === undefined ? -1 : rows.indexOf(active);
  const next = rows[index === -1 ? 0 : index + step];
  const target = next?.matches('a, button') === true ? next : next?.querySelector<HTMLElement>('a, button');
  target?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
