import { useState } from 'preact/hooks';
import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { Empty, Loading, Trouble } from '../../parts/states';
import { currentAsOf, upToAsOf } from '../../service/as-of';
import { useLive } from '../../service/live';
import type { TimelineEntry, TimelinePage } from '../../service/shapes';
import { useAnswer } from '../../service/use-answer';
import { Entry } from '../../timeline/entry-list';
import { isQuiet, timelinePath } from '../../timeline/entry-words';
import { LatestRuns } from './latest-runs';
import { merged } from './merge-entries';

const shownEntries = 12;
const hourMs = 3_600_000;

/** While the pointer or the focus is in the list, shows no newer entries, so that the list does not move. */
export function LatestChanges({ env }: { readonly env: string | undefined }) {
  const asOf = currentAsOf();
  const to = upToAsOf();
  const time = to === undefined ? NaN : Date.parse(to);
  const from = Number.isNaN(time) ? '1h ago' : new Date(time - hourMs).toISOString();
  const answer = useAnswer<TimelinePage>(timelinePath, { from, to, limit: 100 }, { every: 15 });
  const [newer, setNewer] = useState<readonly TimelineEntry[]>([]);
  const [held, setHeld] = useState<readonly TimelineEntry[]>();
  const hasHistory = answer.refusal?.code !== 'query.no-history';
  const isLive = useLive(asOf === undefined && hasHistory, (entry) =>
    setNewer((entries) => merged([entry], entries, shownEntries * 2)),
  );
  if (!hasHistory) return <LatestRuns env={env} />;
  const known = merged(asOf === undefined ? newer : [], answer.data?.entries ?? [], 200).filter(
    (entry) => !isQuiet(entry) && (env === undefined || entry.environment === env),
  );
  const all = known.slice(0, shownEntries);
  const shown = held ?? all;
  const waiting = held === undefined ? 0 : known.findIndex(({ id }) => id === held[0]?.id);
  return (
    <Card
      title="Latest changes"
      note={asOf === undefined ? 'of the last hour' : 'of the hour before'}
      end={
        waiting > 0 ? (
          <span class="small muted" role="status">
            {waiting} newer
          </span>
        ) : (
          isLive && <span class="live">Live</span>
        )
      }
      footer={
        <a class="link" href={hrefTo(['reports'], { env })}>
          All reports
        </a>
      }
    >
      <Trouble answer={answer} />
      {answer.data === undefined ? (
        answer.refusal === undefined && <Loading lines={8} />
      ) : shown.length === 0 ? (
        <Empty title="Nothing has changed" />
      ) : (
        <ol
          class="tl"
          onPointerEnter={() => setHeld(all)}
          onPointerLeave={() => setHeld(undefined)}
          onFocusIn={() => setHeld((entries) => entries ?? all)}
          onFocusOut={() => setHeld(undefined)}
        >
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} lines={1} withNode />
          ))}
        </ol>
      )}
    </Card>
  );
}
