import { useRef, useState } from 'preact/hooks';
import { go, hrefTo } from '../../address/address';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { visible } from '../../parts/text';
import { post, Refusal } from '../../service/ask';
import { forgetAnswers } from '../../service/use-answer';
import { useMay } from '../../shell/session';

export function NodeMenu({ certname, isActive }: { readonly certname: string; readonly isActive: boolean }) {
  const mayDelete = useMay('admin');
  const mayDeactivate = useMay('submit') && isActive;
  const menu = useRef<HTMLDetailsElement>(null);
  const [dialog, setDialog] = useState<'deactivate' | 'delete'>();
  const open = (action: 'deactivate' | 'delete'): void => {
    if (menu.current !== null) menu.current.open = false;
    setDialog(action);
  };
  if (!mayDelete && !mayDeactivate) return null;
  return (
    <>
      <details class="menu" ref={menu}>
        <summary class="btn" aria-label="Actions on this node">
          <Icon name="more" />
        </summary>
        <div class="menu-items">
          {mayDeactivate && (
            <button type="button" onClick={() => open('deactivate')}>
              Deactivate …
            </button>
          )}
          {mayDelete && (
            <button type="button" class="danger" onClick={() => open('delete')}>
              Delete …
            </button>
          )}
        </div>
      </details>
      {dialog !== undefined && (
        <ActionDialog certname={certname} action={dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function ActionDialog({
  certname,
  action,
  onClose,
}: {
  readonly certname: string;
  readonly action: 'deactivate' | 'delete';
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const isDelete = action === 'delete';
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setAsking(true);
    try {
      if (isDelete) {
        await post('pdb/admin/v1/cmd', { command: 'delete', version: 1, payload: { certname } });
      } else {
        const payload = { certname, producer_timestamp: new Date().toISOString() };
        await post('pdb/cmd/v1', payload, {
          command: 'deactivate_node',
          version: 3,
          certname,
          secondsToWaitForCompletion: 20,
        });
      }
      forgetAnswers();
      onClose();
      go(isDelete ? hrefTo(['nodes']) : hrefTo(['nodes', certname]));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error.message);
      setAsking(false);
    }
  };
  return (
    <Dialog title={isDelete ? `Delete ${visible(certname)}?` : `Deactivate ${visible(certname)}?`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void run(event)}>
        {isDelete ? (
          <>
            <p class="muted">
              Its facts, catalog and reports go, and nothing can be asked about it afterwards. If its agent still runs,
              it comes back with the next run, without its past. To hide it and keep its data, deactivate it instead.
            </p>
            <label>
              Type the name to delete it
              <input
                class="field mono wide-field"
                autoFocus
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            </label>
          </>
        ) : (
          <p class="muted">
            Lists and counts leave it out, and its data stays. Its next facts, catalog or report bring it back.
          </p>
        )}
        {refusal !== undefined && (
          <p class="failed small" role="alert">
            {visible(refusal)}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDelete ? 'btn danger' : 'btn go'}
            disabled={isAsking || (isDelete && typed !== certname)}
          >
            {isDelete ? 'Delete' : 'Deactivate'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
