import { useState } from 'preact/hooks';
import { type Address, go, hrefWith } from '../address/address';
import { Icon } from './icon';

interface FindFieldProps {
  readonly find: Find;
  readonly label: string;
  readonly placeholder: string;
  readonly class?: string;
}

interface Find {
  readonly text: string;
  readonly words: string;
  readonly change: (text: string) => void;
}

export function useFind(address: Address): Find {
  const [text, setText] = useState(address.params.get('find') ?? '');
  const change = (changed: string): void => {
    setText(changed);
    go(hrefWith(address, { find: changed }), { replace: true });
  };
  return { text, words: text.trim().toLowerCase(), change };
}

export function FindField({ find, label, placeholder, class: more = '' }: FindFieldProps) {
  return (
    <label class={`field ${more}`}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={find.text}
        onInput={({ currentTarget }) => find.change(currentTarget.value)}
      />
    </label>
  );
}
