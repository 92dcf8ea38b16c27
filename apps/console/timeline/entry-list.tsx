import { useState } from 'preact/hooks';
import { hrefTo } from '../address/address';
import { clockTime, clockWithSeconds, dayAndTime, exactTime, weekday } from '../parts/moments';
import { NodeName } from '../parts/node-name';
import { Shape } from '../parts/status';
import { count, visible } from '../parts/text';
import { Value } from '../parts/value';
import type { TimelineEntry } from '../service/shapes';
import { byDay, type ChangeLine, changeLines, entryTone, entryWords, isQuiet } from './entry-words';

const fewLines = 4;

export function EntriesByDay({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol class="tl">
      {byDay(entries).map(({ day, entries }) => (
        <>
          <li key={day} class="day">
            <h3>{weekday(day)}</h3>
          </li>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} lines={fewLines} />
          ))}
        </>
      ))}
    </ol>
  );
}

export function Entry({
  entry,
  lines,
  withNode = false,
}: {
  readonly entry: TimelineEntry;
  readonly lines: number;
  readonly withNode?: boolean;
}) {
  const { kind, certname, received_at: time, report } = entry;
  const { name, note } = entryWords(entry);
  // A deleted node has no history.
  const isGone = kind === 'node.deleted';
  return (
    <li class={isQuiet(entry) ? 'quiet' : undefined}>
      <time dateTime={time} title={exactTime(time)}>
        {isGone ? (
          clockTime(time)
        ) : (
          <a
            class="plain-link"
            href={hrefTo(['nodes', certname], { as_of: time })}
            aria-label={`${visible(certname)} as of ${dayAndTime(time)}`}
          >
            {clockTime(time)}
          </a>
        )}
      </time>
      <span class="dot">{!isQuiet(entry) && <Shape tone={entryTone(entry)} />}</span>
      <div class="what">
        {withNode && (
          <div class="trunc">
            <NodeName name={certname} />
          </div>
        )}
        <div class={withNode ? 'small muted' : undefined}>
          {isQuiet(entry) ? name : <EntryName name={name} report={report} isStrong={!withNode} />}
          {note !== '' && <span class="muted">: {note}</span>}
          <Seen entry={entry} />
        </div>
        <Lines entry={entry} few={lines} />
      </div>
    </li>
  );
}

function EntryName({
  name,
  report,
  isStrong,
}: {
  readonly name: string;
  readonly report: string | undefined;
  readonly isStrong: boolean;
}) {
  const shown = isStrong ? <b>{name}</b> : name;
  return report === undefined ? (
    shown
  ) : (
    <a class="plain-link" href={hrefTo(['reports', report])}>
      {shown}
    </a>
  );
}

/** Shows how long the node sent documents that were equal to the document in the entry. */
function Seen({ entry }: { readonly entry: TimelineEntry }) {
  const { seen_count: seen, seen_until: until, received_at: time } = entry;
  if (seen < 2) return null;
  const isSameDay = new Date(until).toDateString() === new Date(time).toDateString();
  return (
    <span class="faint">
      {' · '}
      {isQuiet(entry) ? '' : `${count(seen)} times, `}until{' '}
      <span title={exactTime(until)}>{isSameDay ? clockWithSeconds(until) : dayAndTime(until)}</span>
    </span>
  );
}

function Lines({ entry, few }: { readonly entry: TimelineEntry; readonly few: number }) {
  const [isAll, setAll] = useState(false);
  if (isQuiet(entry)) return null;
  const all = entry.changes.flatMap(changeLines);
  // Only failures have a message, and they come first.
  const lines = [
    ...all.filter(({ message }) => message !== undefined),
    ...all.filter(({ message }) => message === undefined),
  ];
  const hidden = lines.length - few + entry.changes_left_out;
  const shown = isAll || hidden <= 1 ? lines : lines.slice(0, few);
  const left = lines.length - shown.length + entry.changes_left_out;
  return (
    <>
      {shown.map((line, index) => (
        <LineOfChange key={index} line={line} />
      ))}
      {left > 0 && lines.length > shown.length && (
        <div>
          <button type="button" class="textual small" onClick={() => setAll(true)}>
            {count(left)} more
          </button>
        </div>
      )}
      {left > 0 && lines.length === shown.length && few > 0 && (
        <a class="link small" href={hrefAround(entry)}>
          {count(left)} more: compare with the state before
        </a>
      )}
    </>
  );
}

/** Compares the node directly before and directly after the service received the document. */
function hrefAround({ certname, received_at: time }: TimelineEntry): string {
  const before = new Date(Date.parse(time) - 1).toISOString();
  return hrefTo(['compare'], { a: `${certname}@${before}`, b: `${certname}@${time}`, as_of: undefined });
}

export function LineOfChange({ line }: { readonly line: ChangeLine }) {
  const { name, only, message } = line;
  const [hasOld, hasNew] = ['old' in line, 'new' in line];
  const named = <bdi class="mono wrap-any">{visible(name)}</bdi>;
  return (
    <div class="ch">
      {only === 'added' ? <ins>+ {named}</ins> : only === 'removed' ? <s>− {named}</s> : named}
      {hasOld && (
        <s>
          <Value value={line.old} limit={40} />
        </s>
      )}
      {hasOld && hasNew && (
        <span aria-label="becomes" role="img">
          →
        </span>
      )}
      {hasNew && (
        <ins>
          <Value value={line.new} limit={40} />
        </ins>
      )}
      {hasOld && !hasNew && <span class="faint">removed</span>}
      {message !== undefined && <span class="failed wrap-any">{visible(message)}</span>}
    </div>
  );
}
