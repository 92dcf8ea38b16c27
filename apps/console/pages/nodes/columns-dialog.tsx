import { useState } from 'preact/hooks';
import { go, hrefWith, type Address } from '../../address/address';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { visible } from '../../parts/text';

export function ColumnsDialog({
  chosen,
  address,
  onClose,
}: {
  readonly chosen: readonly string[];
  readonly address: Address;
  readonly onClose: () => void;
}) {
  const [paths, setPaths] = useState(chosen);
  const [path, setPath] = useState('');
  const withAdded = (): readonly string[] => (path.trim() === '' ? paths : [...new Set([...paths, path.trim()])]);
  return (
    <Dialog title="Facts as columns" onClose={onClose}>
      <form
        method="dialog"
        class="stack"
        onSubmit={() => go(hrefWith(address, { columns: withAdded().join(',') || ',' }))}
      >
        <ul class="chosen">
          {paths.map((one) => (
            <li key={one} class="row">
              <span class="mono grow trunc">{visible(one)}</span>
              <button
                type="button"
                class="btn plain tiny"
                aria-label={`Remove ${visible(one)}`}
                onClick={() => setPaths(paths.filter((other) => other !== one))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <div class="row">
          <input
            class="field grow"
            aria-label="Path of a fact"
            placeholder="os.release.full"
            value={path}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <button
            type="button"
            class="btn"
            onClick={() => {
              setPaths(withAdded());
              setPath('');
            }}
          >
            Add
          </button>
        </div>
        <div class="dialog-buttons">
          <button type="submit" class="btn go">
            Show these
          </button>
        </div>
      </form>
    </Dialog>
  );
}
