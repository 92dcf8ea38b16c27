import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { hrefTo } from '../address/address';
import { visible } from './text';

/** The end that all certnames share, such as `.example.net`. Empty if the certnames have no common end. */
export const NameEnd = createContext('');

/** Returns the longest text with which all names end. The text begins with a dot, and is shorter than each name. */
export function sharedEnd(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined || names.length < 2) return '';
  let labels = first.split('.').slice(1);
  while (labels.length > 0 && !names.every((name) => name.endsWith(`.${labels.join('.')}`))) labels = labels.slice(1);
  return labels.length === 0 ? '' : `.${labels.join('.')}`;
}

export function useShortName(): (name: string) => string {
  const end = useContext(NameEnd);
  return (name) => visible(end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name);
}

export function NodeName({ name }: { readonly name: string }) {
  const shorten = useShortName();
  return (
    <a class="mono name" href={hrefTo(['nodes', name])} title={visible(name)}>
      <bdi>{shorten(name)}</bdi>
    </a>
  );
}
