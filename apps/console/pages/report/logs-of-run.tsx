import { Card, Choice } from '../../parts/card';
import { Answered, Empty } from '../../parts/states';
import { count, counted, visible } from '../../parts/text';
import { clockWithSeconds } from '../../parts/moments';
import { Value } from '../../parts/value';
import type { Answer } from '../../service/use-answer';
import type { LogLine } from '../../service/shapes';

const tones: Readonly<Record<string, string>> = {
  emerg: 'failed',
  alert: 'failed',
  crit: 'failed',
  err: 'failed',
  error: 'failed',
  warning: 'stale',
};
const levelWords: Readonly<Record<string, string>> = { err: 'error' };

export function LogsOfRun({
  logs,
  level,
  hrefOf,
  hrefOfAll,
  most,
}: {
  readonly logs: Answer<readonly LogLine[]>;
  readonly level: string | undefined;
  readonly hrefOf: (level: string | undefined) => string;
  /** Link to the whole log. Undefined if the list already shows the whole log. */
  readonly hrefOfAll?: string;
  readonly most: number;
}) {
  const all = logs.data ?? [];
  const severe = all.filter((line) => line.level in tones);
  const chosen = level === 'all' ? 'all' : 'severe';
  const shown = chosen === 'all' ? all : severe;
  return (
    <Card
      title="Logs"
      end={
        <Choice
          label="Level"
          chosen={chosen}
          href={(name) => hrefOf(name === 'severe' ? undefined : name)}
          options={[
            ['severe', `Errors and warnings ${count(severe.length)}`],
            ['all', `All ${count(all.length)}`],
          ]}
        />
      }
    >
      <Answered answer={logs} lines={4}>
        {() =>
          shown.length === 0 ? (
            <Empty title={all.length === 0 ? 'The report has no log' : 'No error and no warning'} />
          ) : (
            <ul class="lines logs">
              {shown.slice(0, most).map((line, index) => (
                <li key={index}>
                  <div class="row small">
                    <b class={tones[line.level] ?? 'muted'}>{visible(levelWords[line.level] ?? line.level)}</b>
                    <time class="muted mono" dateTime={line.time}>
                      {clockWithSeconds(line.time)}
                    </time>
                  </div>
                  <div class="small">
                    <Value value={line.message} limit={600} />
                  </div>
                  <div class="mono xs muted wrap-any">{visible(line.source.split('/').slice(-2).join('/'))}</div>
                </li>
              ))}
              {shown.length > most && (
                <li class="muted small">
                  {hrefOfAll === undefined ? (
                    counted(shown.length - most, 'further line')
                  ) : (
                    <a class="link" href={hrefOfAll}>
                      {counted(shown.length - most, 'further line')}
                    </a>
                  )}
                </li>
              )}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
