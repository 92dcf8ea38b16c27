import { useEffect, useRef, useState } from 'preact/hooks';
import { go, hrefTo, type Address } from '../address/address';
import { filterParams } from '../filters/node-filter';
import { Dialog } from '../parts/dialog';
import { Icon, type IconName } from '../parts/icon';
import { statusWords } from '../parts/status';
import { visible } from '../parts/text';
import { ask } from '../service/ask';
import type { Hits } from '../service/shapes';
import { navigationPages } from './navigation';
import { useSession } from './session';
import { chooseTheme, type Theme } from './theme';

interface Item {
  readonly icon: IconName;
  readonly words: string;
  readonly note: string;
  readonly href?: string;
  readonly run?: () => void;
}

const kinds: Readonly<Record<string, { icon: IconName; note: string; path: (name: string) => readonly string[] }>> = {
  node: { icon: 'nodes', note: 'node', path: (name) => ['nodes', name] },
  fact: { icon: 'facts', note: 'fact', path: (name) => ['facts', name] },
  class: { icon: 'resources', note: 'class', path: (name) => ['resources', 'Class', name] },
  package: { icon: 'packages', note: 'package', path: (name) => ['packages', name] },
};

export function Palette({ address, onClose }: { readonly address: Address; readonly onClose: () => void }) {
  const { me } = useSession();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const hits = useHits(text.trim());
  const items = [...factItems(text), ...hits.map(hitItem), ...pageItems(text, me.may), ...commandItems(text, address)];
  const list = useRef<HTMLUListElement>(null);
  const close = (): void => list.current?.closest('dialog')?.close();
  const open = (item: Item | undefined, isNewTab = false): void => {
    if (item === undefined) return;
    close();
    item.run?.();
    if (item.href === undefined) return;
    if (isNewTab) window.open(item.href, '_blank', 'noopener');
    else {
      go(item.href);
      scrollTo(0, 0);
    }
  };
  const index = Math.min(chosen, items.length - 1);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  return (
    <Dialog title="Search and commands" className="palette" onClose={onClose}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={items.length === 0 ? undefined : `palette-${index}`}
          aria-label="Search and commands"
          placeholder="Find a node, fact, resource or command"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setChosen(Math.min(index + 1, items.length - 1));
            else if (event.key === 'ArrowUp') setChosen(Math.max(index - 1, 0));
            else if (event.key === 'Enter') open(items[index], event.ctrlKey || event.metaKey);
            else return;
            event.preventDefault();
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id="palette-list" ref={list} role="listbox" aria-label="Results">
        {items.map((item, at) => (
          <li
            key={`${item.words} ${item.note}`}
            id={`palette-${at}`}
            role="option"
            aria-selected={at === index}
            onMouseMove={() => setChosen(at)}
            onClick={(event) => open(item, event.ctrlKey || event.metaKey)}
          >
            <Icon name={item.icon} />
            <bdi class="grow trunc">{visible(item.words)}</bdi>
            <span class="small muted">{item.note}</span>
          </li>
        ))}
      </ul>
      {items.length === 0 && (
        <p class="palette-none muted" role="status">
          Nothing has this in its name.
        </p>
      )}
      <div class="palette-foot small muted">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        <span class="hide">
          <kbd>Ctrl</kbd> <kbd>↵</kbd> new tab
        </span>
        <span class="end">
          <b>fact=value</b> finds nodes
        </span>
      </div>
    </Dialog>
  );
}

function useHits(text: string): Hits['hits'] {
  const [hits, setHits] = useState<Hits['hits']>([]);
  useEffect(() => {
    if (text === '') {
      setHits([]);
      return;
    }
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      ask<Hits>('nodeledger/v1/search', { q: text, limit: 8 }, stopping.signal).then(
        (answer) => setHits(answer.hits),
        () => undefined,
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text]);
  return hits;
}

function hitItem({ kind, name, status }: Hits['hits'][number]): Item {
  const { icon, note, path } = kinds[kind] ?? kinds['node']!;
  return {
    icon,
    words: name,
    note: status === undefined || status === null ? note : `${note}, ${statusWords[status].toLowerCase()}`,
    href: hrefTo(path(name)),
  };
}

/** Returns a link for a text such as `role=kube`. */
function factItems(text: string): readonly Item[] {
  const [, path, value] = /^\s*([^\s=]+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
  if (path === undefined || value === undefined) return [];
  return [
    {
      icon: 'nodes',
      words: `Nodes with ${path} = ${value}`,
      note: 'nodes',
      href: hrefTo(['nodes'], filterParams(`fact:${path}`, [value])),
    },
  ];
}

const pageItems = (text: string, may: readonly string[]): readonly Item[] =>
  navigationPages
    .filter(({ role }) => role === undefined || may.includes(role))
    .filter(({ words }) => words.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ words, icon, path, key }) => ({
      icon,
      words,
      note: key === undefined ? 'page' : `page, g ${key}`,
      href: hrefTo(path),
    }));

function commandItems(text: string, { path }: Address): readonly Item[] {
  const themeItem = (theme: Theme, words: string): Item => ({
    icon: 'theme',
    words,
    note: 'command',
    run: () => chooseTheme(theme),
  });
  const [page, name] = path;
  const here: readonly Item[] =
    page === 'nodes' && name !== undefined
      ? [{ icon: 'compare', words: `Compare ${name} with …`, note: 'command', href: hrefTo(['compare'], { a: name }) }]
      : [];
  const commands = [
    ...here,
    themeItem('light', 'Light colours'),
    themeItem('dark', 'Dark colours'),
    themeItem('system', 'Colours as the system'),
  ];
  return commands.filter(({ words }) => words.toLowerCase().includes(text.trim().toLowerCase()));
}
