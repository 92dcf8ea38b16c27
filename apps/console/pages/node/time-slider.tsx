import { useEffect, useRef, useState } from 'preact/hooks';
import { go, hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { clockTime, dayAndTime, dayName } from '../../parts/moments';
import { counted } from '../../parts/text';
import { useNow } from '../../parts/time';
import { currentAsOf } from '../../service/as-of';
import type { TimelinePage } from '../../service/shapes';
import { useAnswer } from '../../service/use-answer';
import { timelinePath } from '../../timeline/entry-words';
import { barsOf, type Moment, momentBeside, momentsOf, ticksOf, type Window, windowOf, windows } from './slider-scale';

const windowWords: readonly (readonly [Window, string])[] = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['14d', '14 d'],
  ['all', 'All'],
];
const mostEntries = 200;
const height = 76;
const base = 50;
/** If the viewer clicks at most this many pixels from a change, the slider selects the time of the change. */
const snapPixels = 7;

export function TimeSlider({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const now = useNow();
  // Requests changes after the chosen time, too, because the axis shows them.
  const answer = useAnswer<TimelinePage>(timelinePath, { certname, limit: mostEntries }, { every: 15 });
  const { data } = answer;
  if (data === undefined || data.entries.length === 0) return null;
  const moments = momentsOf(data.entries);
  const asOf = currentAsOf();
  const chosen = asOf === undefined ? now : Date.parse(asOf.slice(asOf.lastIndexOf('@') + 1));
  // The axis includes the chosen time, even if nothing has changed since this time.
  const named = address.params.get('window');
  const window = windowWords.find(([name]) => name === named)?.[0] ?? windowOf(moments, now);
  const span = windows[window];
  const earliest = Math.min(moments[0]?.time ?? now, Number.isNaN(chosen) ? now : chosen) - 60_000;
  const from = span === Infinity ? earliest : now - span;
  const words = { '1h': 'Last hour', '24h': 'Last 24 hours', '14d': 'Last 14 days', all: 'All of the history' }[window];
  return (
    <Card
      title={words}
      note={
        <span class="hide">
          {data.next === null
            ? 'drag, or ← → from change to change'
            : `the last ${counted(data.entries.length, 'change')}`}
        </span>
      }
      end={
        <Choice<Window>
          label="Window"
          chosen={window}
          href={(name) => hrefWith(address, { window: name })}
          options={windowWords}
        />
      }
    >
      <Axis
        moments={moments}
        from={from}
        to={now}
        chosen={Number.isNaN(chosen) ? undefined : chosen}
        isNow={asOf === undefined}
        onChoose={(time, replace) =>
          go(hrefWith(address, { as_of: time === undefined ? undefined : new Date(time).toISOString() }), { replace })
        }
      />
    </Card>
  );
}

interface AxisProps {
  readonly moments: readonly Moment[];
  readonly from: number;
  readonly to: number;
  readonly chosen: number | undefined;
  readonly isNow: boolean;
  /**
   * `time` is undefined for the present. If `replace` is true, the new address replaces the current address in the
   * browser's history, so that Back does not return to each chosen time.
   */
  readonly onChoose: (time: number | undefined, replace: boolean) => void;
}

function Axis({ moments, from, to, chosen, isNow, onChoose }: AxisProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [dragged, setDragged] = useState<number>();
  const time = dragged ?? chosen;
  const xOf = (at: number): number => Math.max(0, Math.min(width, ((at - from) / (to - from)) * width));
  const timeAt = (event: PointerEvent): number => {
    const box = frame.current!.getBoundingClientRect();
    const x = Math.max(0, Math.min(width, event.clientX - box.left));
    const near = moments.find((moment) => Math.abs(xOf(moment.time) - x) <= snapPixels && moment.time >= from);
    return x >= width - snapPixels ? to : (near?.time ?? Math.round(from + (x / width) * (to - from)));
  };
  const choose = (at: number | undefined): void => onChoose(at === undefined || at >= to ? undefined : at, !isNow);
  const onKey = (event: KeyboardEvent): void => {
    const at = chosen ?? to;
    const next: Readonly<Record<string, () => number | undefined>> = {
      ArrowLeft: () => momentBeside(moments, at, -1) ?? at,
      ArrowDown: () => momentBeside(moments, at, -1) ?? at,
      ArrowRight: () => momentBeside(moments, at, 1),
      ArrowUp: () => momentBeside(moments, at, 1),
      Home: () => moments[0]?.time,
      End: () => undefined,
    };
    const move = next[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(move());
  };
  const x = time === undefined ? undefined : xOf(time);
  const isPast = !isNow || dragged !== undefined;
  const ticks = ticksOf(from, to, Math.max(2, Math.floor(width / 84)));
  const isDays = (ticks[1] ?? to) - (ticks[0] ?? from) >= 23 * 3_600_000;
  const reached = moments.filter((moment) => moment.time <= (time ?? to)).length;
  return (
    <div
      ref={frame}
      class="slider"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={moments.length}
      aria-valuenow={reached}
      aria-valuetext={isPast && time !== undefined ? dayAndTime(time) : 'Now'}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(timeAt(event));
      }}
      onPointerMove={(event) => {
        if (dragged !== undefined) setDragged(timeAt(event));
      }}
      onPointerUp={(event) => {
        if (dragged === undefined) return;
        setDragged(undefined);
        choose(timeAt(event));
      }}
      onPointerCancel={() => setDragged(undefined)}
    >
      <svg class="chart" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={xOf(tick)} x2={xOf(tick)} y1="4" y2="58" />
            {xOf(tick) < width - 44 && (
              <text x={xOf(tick) + 4} y="72">
                {isDays ? dayName(tick) : clockTime(tick)}
              </text>
            )}
          </g>
        ))}
        <line class="ul" x1="0" x2={width} y1={base} y2={base} />
        {barsOf(moments, from, to, width, 40).map(({ x, height, isFailed }) => (
          <rect key={x} class={isFailed ? 'f' : 'c'} x={x} y={base - height} width="5" height={height} rx="1.5" />
        ))}
        {x !== undefined && isPast && <rect class="after" x={x} y="4" width={Math.max(0, width - x)} height="54" />}
        {x !== undefined && (
          <g class={isPast ? 'knob of-past' : 'knob'}>
            <line x1={x} x2={x} y1="0" y2="58" />
            <circle cx={x} cy={base} r="7" />
          </g>
        )}
      </svg>
      {dragged !== undefined && <span class="small slider-time">{dayAndTime(dragged)}</span>}
    </div>
  );
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(100, Math.floor(entry!.contentRect.width))));
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return width;
}
