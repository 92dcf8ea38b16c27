import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { hasSingleKeys, setSingleKeys } from './keys';
import { navigationPages } from './navigation';

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'search, also Ctrl+K'],
  ...navigationPages.flatMap(({ key, words }) => (key === undefined ? [] : [[['g', key], `open ${words}`] as const])),
  [['j'], 'next row'],
  [['k'], 'previous row'],
  [['Enter'], 'open the row'],
  [['x'], 'select a node of the list'],
  [['c'], 'compare'],
  [['t'], 'show another time'],
  [['?'], 'these keys'],
];

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(hasSingleKeys);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="kv keys">
        {keys.map(([pressed, does]) => (
          <>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => {
            setSingleKeys(!isOn);
            setOn(!isOn);
          }}
        />
        Single keys do something
      </label>
      <form method="dialog" class="dialog-buttons">
        <button class="btn" type="submit">
          Close
        </button>
      </form>
    </Dialog>
  );
}
