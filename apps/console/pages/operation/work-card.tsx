import { useState } from 'preact/hooks';
import { Card } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { durationText } from '../../parts/moments';
import { Answered } from '../../parts/states';
import { Mark, type Tone } from '../../parts/status';
import { bytes, count, visible } from '../../parts/text';
import { Age } from '../../parts/time';
import { post, Refusal, remove } from '../../service/ask';
import type { Operation, Work, WorkKind, Works } from '../../service/shapes';
import { useAnswer } from '../../service/use-answer';
import { Meter } from './meter';

const base = 'nodeledger/v1/operation/work';

/** The buttons have this order. The viewer reads `about` before the work starts. */
const kinds: Readonly<Record<WorkKind, { readonly name: string; readonly about: string }>> = {
  verify: {
    name: 'Verify',
    about:
      'Builds the tables again from the log, beside the live tables, and compares both. Changes nothing. It needs disk space for a second set of tables while it runs.',
  },
  rebuild: {
    name: 'Rebuild',
    about:
      'Builds new tables from the log. If they equal the live tables, they become live. Queries continue. The earlier tables are kept until the next rebuild, so the disk needs space for both.',
  },
  snapshot: {
    name: 'Snapshot',
    about:
      'Removes records from the log that are older than NODELEDGER_LOG_HISTORY and that the tables no longer need. The tables of that time can then not be built again.',
  },
  backup: {
    name: 'Backup',
    about:
      'Copies the log and the control tables into a folder of the service. A later backup copies only new records. Copy the folder to another machine, too.',
  },
  export: {
    name: 'Export',
    about: 'Writes all stored documents into a new archive in a folder of the service. Delete old archives yourself.',
  },
};
const names = Object.keys(kinds) as WorkKind[];

const marks: Readonly<Record<Work['state'], Tone>> = {
  running: 'changed',
  stopping: 'stale',
  done: 'good',
  failed: 'failed',
  stopped: 'stale',
};

export function WorkCard({ operation: { work: replays, generations } }: { readonly operation: Operation }) {
  const [isRunning, setRunning] = useState(false);
  const works = useAnswer<Works>(base, {}, { every: isRunning ? 1 : 10 });
  const [chosen, setChosen] = useState<WorkKind>();
  const [said, setSaid] = useState<string>();
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
      setSaid(undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setSaid(error.message);
    }
    works.again();
  };
  const list = works.data?.work ?? [];
  const running = list.find(({ ended }) => ended === null);
  if ((running !== undefined) !== isRunning) setRunning(running !== undefined);
  return (
    <Card title="Maintenance" note="started here">
      <div class="in row wrap">
        {names.map((kind) => (
          <button key={kind} type="button" class="btn" disabled={running !== undefined} onClick={() => setChosen(kind)}>
            {kinds[kind].name}
          </button>
        ))}
      </div>
      {running?.kind !== 'rebuild' &&
        replays.map(({ generation, done, of }) => (
          <div key={generation} class="in">
            <Progress words={`rebuild of generation ${generation}`} done={done} of={of} unit="records" />
          </div>
        ))}
      <p class={said === undefined ? 'sr' : 'note'} role="status">
        {said === undefined ? '' : visible(said)}
      </p>
      <Answered answer={works} lines={2}>
        {({ work }) =>
          work.length === 0 ? (
            <p class="in muted small">Nothing was started here since the start of the service.</p>
          ) : (
            <ul class="lines">
              {work.map((one) => (
                <WorkLine key={one.id} work={one} onStop={() => void act(() => remove(`${base}/${one.id}`))} />
              ))}
            </ul>
          )
        }
      </Answered>
      {chosen !== undefined && (
        <StartDialog
          kind={chosen}
          canResume={generations.some(({ state }) => state === 'building')}
          onClose={() => setChosen(undefined)}
          onStart={(unfinished) => void act(() => post(base, { kind: chosen, ...(unfinished && { unfinished }) }))}
        />
      )}
    </Card>
  );
}

function WorkLine({ work, onStop }: { readonly work: Work; readonly onStop: () => void }) {
  const { kind, state, progress, actor, started, ended, output } = work;
  return (
    <li>
      <div class="row wrap">
        <Mark tone={marks[state]}>
          {kinds[kind].name}, {state}
        </Mark>
        <span class="xs muted">
          <Age time={ended ?? started} />, by {visible(actor)}
        </span>
        {state === 'running' && (
          <button type="button" class="btn tiny end" onClick={onStop}>
            Stop
          </button>
        )}
      </div>
      {ended === null && progress !== null && (
        <Progress words={progress.step} secondsLeft={progress.seconds_left} {...progress} />
      )}
      {output !== '' && (
        <details class="small" open={state === 'failed'}>
          <summary>Output</summary>
          <pre class="payload">{visible(output)}</pre>
        </details>
      )}
    </li>
  );
}

function Progress({
  words,
  done,
  of,
  unit,
  secondsLeft = null,
}: {
  readonly words: string;
  readonly done: number;
  readonly of: number;
  readonly unit: string;
  readonly secondsLeft?: number | null;
}) {
  const share = of === 0 ? 0 : (done / of) * 100;
  const show = unit === 'bytes' ? bytes : count;
  return (
    <>
      <Meter share={share} tone="data" words={`${Math.round(share)} % done`} />
      <p class="small muted">
        {words}: {show(done)} of {show(of)}
        {unit === 'bytes' ? '' : ` ${unit}`}
        {secondsLeft !== null && `, ${durationText(secondsLeft * 1000)} left`}
      </p>
    </>
  );
}

function StartDialog({
  kind,
  canResume,
  onClose,
  onStart,
}: {
  readonly kind: WorkKind;
  readonly canResume: boolean;
  readonly onClose: () => void;
  readonly onStart: (unfinished?: 'resume' | 'restart') => void;
}) {
  const { name, about } = kinds[kind];
  const hasChoice = kind === 'rebuild' && canResume;
  return (
    <Dialog title={`${name}?`} onClose={onClose}>
      <form
        method="dialog"
        class="stack"
        onSubmit={(event) => {
          const { value } = event.submitter as HTMLButtonElement;
          onStart(value === 'resume' || value === 'restart' ? value : undefined);
        }}
      >
        <p class="muted">{about} You can leave the page meanwhile.</p>
        {hasChoice && <p class="muted">The last rebuild was stopped. It can continue where it ended.</p>}
        <div class="dialog-buttons">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          {hasChoice && (
            <button type="submit" class="btn" value="restart">
              Start again
            </button>
          )}
          <button type="submit" class="btn primary" value={hasChoice ? 'resume' : ''}>
            {hasChoice ? 'Resume' : name}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
