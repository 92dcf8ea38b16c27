import { useState } from 'preact/hooks';
import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy-button';
import { useShortName } from '../../parts/node-name';
import { ResourceName, resourceText } from '../../parts/resource-name';
import { Answered } from '../../parts/states';
import { Shape } from '../../parts/status';
import { count, counted, fileAndLine, valueText, visible } from '../../parts/text';
import { Change, Value } from '../../parts/value';
import { momentText } from '../../parts/moments';
import { equal, from } from '../../service/ast';
import type { Answer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { Failures, LogLine, Report, ReportEvent } from '../../service/shapes';
import { useAnswer } from '../../service/use-answer';

const mostFolded = 20;

export function EventsOfRun({
  report,
  events,
  before,
  logs,
}: {
  readonly report: Report;
  readonly events: Answer<readonly ReportEvent[]>;
  readonly before: Report | undefined;
  readonly logs: readonly LogLine[] | undefined;
}) {
  return (
    <div class="stack">
      <Answered answer={events} lines={8}>
        {(rows) => {
          const of = (status: ReportEvent['status']): readonly ReportEvent[] =>
            rows.filter((event) => event.status === status);
          const failed = of('failure');
          return (
            <div class="stack">
              {failed.length > 0 && <Failed report={report} events={failed} before={before} />}
              {failed.length === 0 && report.status === 'failed' && <RunItselfFailed logs={logs} />}
              <Skipped events={of('skipped')} />
              <Changed title="Would change" events={of('noop')} />
              <Changed title="Changed" events={of('success')} />
              {rows.length === 0 && report.status !== 'failed' && (
                <section class="card">
                  <div class="empty">
                    <b>Every resource was as it should be</b>
                  </div>
                </section>
              )}
            </div>
          );
        }}
      </Answered>
    </div>
  );
}

function Failed({
  report,
  events,
  before,
}: {
  readonly report: Report;
  readonly events: readonly ReportEvent[];
  readonly before: Report | undefined;
}) {
  const shorten = useShortName();
  const failuresBefore = useRows<Pick<ReportEvent, 'resource_type' | 'resource_title'>>(
    before === undefined
      ? undefined
      : from(
          'events',
          ['resource_type', 'resource_title'],
          ['and', equal('report', before.hash), equal('status', 'failure')],
        ),
  );
  const failures = useAnswer<Failures>('nodeledger/v1/failures', { limit: 100 });
  const nameOf = (event: Pick<ReportEvent, 'resource_type' | 'resource_title'>): string =>
    `${event.resource_type}[${event.resource_title}]`;
  const earlier = failuresBefore.data === undefined ? undefined : new Set(failuresBefore.data.map(nameOf));
  const sentenceOf = (event: ReportEvent): string => {
    const sentences: string[] = [];
    if (before !== undefined && earlier !== undefined)
      sentences.push(
        earlier.has(nameOf(event))
          ? `Failed in the run before, too, ${momentText(before.end_time)}.`
          : `Did not fail in the run before, ${momentText(before.end_time)}.`,
      );
    const causes = (failures.data?.causes ?? []).filter(
      (cause) => cause.resource_type === event.resource_type && cause.resource_title === event.resource_title,
    );
    const names = new Set(causes.flatMap(({ certnames }) => certnames));
    names.delete(report.certname);
    const [other] = names;
    if (other !== undefined) {
      // The answer names at most ten nodes for each cause.
      const isCut = causes.some(({ nodes, certnames }) => nodes > certnames.length);
      const words = names.size === 1 ? shorten(other) : counted(names.size, 'other node');
      sentences.push(`Fails on ${isCut ? 'at least ' : ''}${words}, too.`);
    }
    return sentences.join(' ');
  };
  const text = (): string =>
    [
      `${report.certname}, run of ${report.end_time}`,
      ...events.map((event) =>
        [
          nameOf(event),
          event.message ?? '',
          `${event.property ?? 'value'} is ${valueText(event.old_value)}, should be ${valueText(event.new_value)}`,
          `${event.file ?? ''}${event.line === null ? '' : `:${event.line}`}`,
        ].join('\n  '),
      ),
    ].join('\n\n');
  return (
    <Card title="Failed" note={count(events.length)} end={<CopyButton words="Copy as text" text={text} />}>
      <ul class="lines failures">
        {events.map((event, index) => (
          <li key={index} data-row>
            <div class="failure-name">
              <Shape tone="failed" />
              <ResourceName type={event.resource_type} title={event.resource_title} />
            </div>
            {event.message !== null && (
              <div>
                <Value value={event.message} limit={800} />
              </div>
            )}
            {(event.old_value !== null || event.new_value !== null) && (
              <div class="diff">
                <div class="del">
                  {visible(event.property ?? 'value')} is <Value value={event.old_value} limit={300} />
                </div>
                <div class="add">
                  {visible(event.property ?? 'value')} should be <Value value={event.new_value} limit={300} />
                </div>
              </div>
            )}
            <div class="small muted row wrap where">
              {event.file !== null && <span class="mono">{visible(fileAndLine(event.file, event.line)!)}</span>}
              {event.containing_class !== null && (
                <a class="plain-link" href={hrefTo(['resources', 'Class', event.containing_class])}>
                  {resourceText('Class', event.containing_class)}
                </a>
              )}
              <span class="ink">{sentenceOf(event)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** If a run failed without a failed resource, only the errors in the report's log explain the failure. */
function RunItselfFailed({ logs }: { readonly logs: readonly LogLine[] | undefined }) {
  const errors = (logs ?? []).filter(({ level }) => level === 'err' || level === 'error' || level === 'crit');
  return (
    <Card title="The run itself failed" note="before it reached a resource">
      <ul class="lines failures">
        {errors.map(({ message, file, line }, index) => (
          <li key={index}>
            <div class="failure-name">
              <Shape tone="failed" />
              <Value value={message} limit={1000} />
            </div>
            {fileAndLine(file, line) !== undefined && (
              <div class="mono small muted">{visible(fileAndLine(file, line)!)}</div>
            )}
          </li>
        ))}
        {errors.length === 0 && <li class="muted">The log has no error.</li>}
      </ul>
    </Card>
  );
}

function Skipped({ events }: { readonly events: readonly ReportEvent[] }) {
  const [isWhole, setWhole] = useState(false);
  if (events.length === 0) return null;
  const shown = isWhole ? events : events.slice(0, mostFolded);
  return (
    <Card title="Skipped" note={`${count(events.length)}, because a resource that they need failed`}>
      <ul class="in skipped">
        {shown.map(({ resource_type: type, resource_title: title }, index) => (
          <li key={index} class="small">
            <ResourceName type={type} title={title} />
          </li>
        ))}
        {shown.length < events.length && <Rest count={events.length - shown.length} onClick={() => setWhole(true)} />}
      </ul>
    </Card>
  );
}

function Changed({ title, events }: { readonly title: string; readonly events: readonly ReportEvent[] }) {
  const [isWhole, setWhole] = useState(false);
  if (events.length === 0) return null;
  const groups = new Map<string, ReportEvent[]>();
  for (const event of isWhole ? events : events.slice(0, mostFolded)) {
    const name = event.containing_class ?? '';
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return (
    <Card
      title={title}
      note={`${count(events.length)}, by class`}
      footer={
        !isWhole &&
        events.length > mostFolded && <Rest count={events.length - mostFolded} onClick={() => setWhole(true)} />
      }
    >
      <table class="fold changes">
        <tbody>
          {[...groups].map(([name, members]) => (
            <>
              <tr key={name} class="grp">
                <td colSpan={3} class="wide">
                  <b>{name === '' ? 'In no class' : resourceText('Class', name)}</b>
                </td>
              </tr>
              {members.map((event, index) => (
                <tr key={`${name} ${index}`} data-row>
                  <td class="wide small resource-cell">
                    <ResourceName type={event.resource_type} title={event.resource_title} />
                  </td>
                  <td class="wide">
                    <Change name={event.property} was={event.old_value} is={event.new_value} />
                  </td>
                  <td class="mono small muted nowrap off num">
                    {event.file !== null && visible(fileAndLine(event.file, event.line)!.split('/').slice(-1)[0]!)}
                  </td>
                </tr>
              ))}
            </>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const Rest = ({ count: figure, onClick }: { readonly count: number; readonly onClick: () => void }) => (
  <button type="button" class="textual" onClick={onClick}>
    Show the other {count(figure)}
  </button>
);
