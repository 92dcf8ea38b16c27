import { useState } from 'preact/hooks';
import { Icon } from './icon';

export function CopyButton({ words, text }: { readonly words: string; readonly text: () => string }) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('The browser does not allow it');
    }
    setTimeout(() => setSaid(undefined), 2_000);
  };
  return (
    <button type="button" class="btn tiny" onClick={() => void copy()}>
      <Icon name="copy" />
      <span aria-live="polite">{said ?? words}</span>
    </button>
  );
}
