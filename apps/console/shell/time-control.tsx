import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../address/address';
import { Dialog } from '../parts/dialog';
import { Icon } from '../parts/icon';
import { ageText, dayAndTime, exactTime, momentText } from '../parts/moments';
import { visible } from '../parts/text';
import { readTime } from '../service/as-of';

const presets = ['1h ago', '6h ago', 'yesterday', '3 days ago', '7 days ago'];
const stepMs = 1_800_000;

/** `asOf` can contain positions in the log before `@`. Returns a text without a time unchanged. */
function shown(asOf: string, format: (time: string) => string): string {
  const time = asOf.slice(asOf.lastIndexOf('@') + 1);
  return Number.isNaN(Date.parse(time)) ? visible(asOf) : format(time);
}

export function TimeButton({ asOf, onOpen }: { readonly asOf: string | undefined; readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      class={asOf === undefined ? 'btn' : 'btn of-past'}
      aria-label={`Time: ${asOf === undefined ? 'now' : shown(asOf, exactTime)}. Change it`}
      aria-keyshortcuts="t"
      onClick={onOpen}
    >
      <Icon name="clock" />
      {asOf === undefined ? 'Now' : shown(asOf, momentText)}
      <Icon name="down" />
    </button>
  );
}

export function PastBand({ address, asOf }: { readonly address: Address; readonly asOf: string }) {
  const time = Date.parse(asOf.slice(asOf.lastIndexOf('@') + 1));
  const step = (ms: number): string | undefined =>
    Number.isNaN(time) || time + ms > Date.now() ? undefined : new Date(time + ms).toISOString();
  const node = address.path[0] === 'nodes' ? address.path[1] : undefined;
  return (
    <div class="past" role="status">
      <Icon name="clock" />
      <span>
        <b>As of {shown(asOf, dayAndTime)}</b> — what was known then, not what is true now.
      </span>
      <span class="small muted hide">{shown(asOf, ageText)}</span>
      <span class="row end wrap">
        {node !== undefined && (
          <a class="btn tiny" href={hrefTo(['compare'], { a: `${node}@${asOf}`, b: `${node}@now`, as_of: undefined })}>
            Compare with now
          </a>
        )}
        <a class="btn tiny" href={hrefWith(address, { as_of: step(-stepMs) })}>
          30 min earlier
        </a>
        <a class="btn tiny" href={hrefWith(address, { as_of: step(stepMs) })}>
          30 min later
        </a>
        <a class="btn tiny" href={hrefWith(address, { as_of: undefined })}>
          Back to now
        </a>
      </span>
    </div>
  );
}

export function TimeDialog({ address, onClose }: { readonly address: Address; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const choose = (typed: string): void => {
    const time = typed === 'now' ? undefined : readTime(typed);
    if (typed !== 'now' && time === undefined)
      setProblem('Type a time such as "2 days ago", "thu 14:10", "yesterday 8:30" or "2026-11-19 14:10".');
    else if (time !== undefined && Date.parse(time) > Date.now()) setProblem(`${exactTime(time)} is in the future.`);
    else {
      onClose();
      go(hrefWith(address, { as_of: time }));
    }
  };
  return (
    <Dialog title="Show the fleet as of" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          choose(text);
        }}
      >
        <label class="field">
          <Icon name="clock" />
          <input
            autoFocus
            type="text"
            aria-label="Time"
            aria-describedby="time-problem"
            placeholder="thu 14:10"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setProblem(undefined);
            }}
          />
        </label>
        <p id="time-problem" class={problem === undefined ? 'small muted' : 'small failed'} role="status">
          {problem ?? 'The answer is the one that the service gave at that time.'}
        </p>
        <div class="row wrap">
          {['now', ...presets].map((preset) => (
            <button key={preset} type="button" class="btn tiny" onClick={() => choose(preset)}>
              {preset}
            </button>
          ))}
        </div>
        <div class="dialog-buttons">
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn go" type="submit">
            Show
          </button>
        </div>
      </form>
    </Dialog>
  );
}
