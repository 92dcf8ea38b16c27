import { useState } from 'preact/hooks';
import { hrefTo, type Address } from '../../address/address';
import { Card } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { NodeName } from '../../parts/node-name';
import { Answered } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Mark } from '../../parts/status';
import { count, counted, excerpt, visible } from '../../parts/text';
import { Moment } from '../../parts/time';
import { post, Refusal, remove } from '../../service/ask';
import type { Answer } from '../../service/use-answer';
import type { Letters } from '../../service/shapes';

interface Outcome {
  readonly applied: number;
  readonly rejected: number;
  readonly pending: number;
}
const base = 'nodeledger/v1/dead-letters';

export function DeadLetters({ answer }: { readonly answer: Answer<Letters>; readonly address: Address }) {
  const [said, setSaid] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [purging, setPurging] = useState<string>();
  const act = async (action: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      setSaid(await action());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setSaid(error.message);
    }
    setBusy(false);
    answer.again();
  };
  const retry = (name?: string): Promise<void> =>
    act(async () =>
      outcomeText(
        name === undefined
          ? await post<Outcome>(`${base}/retry`, undefined, { all: 'true', wait: 20 })
          : await post<Outcome>(`${base}/${name}/retry`, undefined, { wait: 20 }),
      ),
    );
  const total = answer.data?.total;
  return (
    <Card
      title="Dead letters"
      note={
        total === undefined || total === 0 ? undefined : `${counted(total, 'rejected command')}; all others went on`
      }
      end={
        total !== undefined &&
        total > 1 && (
          <button type="button" class="btn" disabled={isBusy} onClick={() => void retry()}>
            Retry all
          </button>
        )
      }
    >
      <p class={said === undefined ? 'sr' : 'note'} role="status">
        {said === undefined ? '' : visible(said)}
      </p>
      <Answered answer={answer} lines={3}>
        {({ letters, total: all }) =>
          letters.length === 0 ? (
            <div class="in">
              <Mark tone="good">No command was rejected.</Mark>
            </div>
          ) : (
            <>
              <table class="fold letters">
                <TableHead
                  columns={[
                    'Place',
                    'Command and error',
                    'Rejected',
                    ['Tries', 'num'],
                    [<span class="sr">Actions</span>, ''],
                  ]}
                />
                <tbody>
                  {letters.map((letter) => (
                    <tr key={letter.name} data-row>
                      <td class="mono nowrap">
                        <a class="link" href={hrefTo(['operation', 'dead-letters', letter.name])}>
                          {letter.name}
                        </a>
                      </td>
                      <td class="wide">
                        <div>
                          <b>
                            {visible(letter.command)} {letter.version}
                          </b>{' '}
                          of <NodeName name={letter.certname} />
                        </div>
                        <div class="small muted wrap-any">{visible(excerpt(letter.error, 200))}</div>
                      </td>
                      <td class="nowrap">
                        <Moment time={letter.last_rejected_at} />
                      </td>
                      <td class="num">{count(letter.attempts)}</td>
                      <td class="acts">
                        <span class="row">
                          <a class="btn tiny" href={hrefTo(['operation', 'dead-letters', letter.name])}>
                            Read
                          </a>
                          <button
                            type="button"
                            class="btn tiny"
                            disabled={isBusy}
                            onClick={() => void retry(letter.name)}
                          >
                            Retry
                          </button>
                          <button
                            type="button"
                            class="btn tiny danger"
                            disabled={isBusy}
                            onClick={() => setPurging(letter.name)}
                          >
                            Purge
                          </button>
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {all > letters.length && (
                <p class="in muted small">{counted(all - letters.length, 'older letter')} not shown.</p>
              )}
            </>
          )
        }
      </Answered>
      {purging !== undefined && (
        <PurgeDialog
          name={purging}
          onClose={() => setPurging(undefined)}
          onPurge={() =>
            void act(async () => {
              await remove(`${base}/${purging}`);
              return `${purging} is purged.`;
            })
          }
        />
      )}
    </Card>
  );
}

export function PurgeDialog({
  name,
  onClose,
  onPurge,
}: {
  readonly name: string;
  readonly onClose: () => void;
  readonly onPurge: () => void;
}) {
  return (
    <Dialog title={`Purge ${name}?`} onClose={onClose}>
      <form method="dialog" class="stack" onSubmit={onPurge}>
        <p class="muted">
          The command leaves the list and is never applied. Its payload is deleted here; the log keeps it until a
          snapshot removes it.
        </p>
        <div class="dialog-buttons">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn danger">
            Purge
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function outcomeText({ applied, rejected, pending }: Outcome): string {
  const parts = [
    applied > 0 ? `${counted(applied, 'command')} applied` : undefined,
    rejected > 0 ? `${counted(rejected, 'command')} rejected again` : undefined,
    pending > 0 ? `${counted(pending, 'command')} still waiting` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Nothing to retry.' : `${parts.join(', ')}.`;
}
