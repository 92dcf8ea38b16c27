import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { EnvironmentChoice } from '../../filters/environment-choice';
import { Bars } from '../../parts/bars';
import { Card, Choice, PageHead } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { NodeName } from '../../parts/node-name';
import { ResourceName } from '../../parts/resource-name';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Shape, type Tone } from '../../parts/status';
import { counted, excerpt, fileAndLine, shortFile, visible } from '../../parts/text';
import { Moment } from '../../parts/time';
import { all, type Ast, equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { ReportEvent } from '../../service/shapes';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';

/** Keys are the values of the address parameter `by`. `field` is the field of an event that names the group. */
const groupings = {
  class: { field: 'containing_class', words: 'Class', label: (value: string) => value },
  type: { field: 'resource_type', words: 'Type', label: (value: string) => value },
  title: { field: 'resource_title', words: 'Title', label: (value: string) => value },
  file: { field: 'file', words: 'File', label: shortFile },
  node: { field: 'certname', words: 'Node', label: (value: string) => value },
} as const;
type Grouping = keyof typeof groupings;

const statuses = [
  ['failure', 'Failed', 'failed'],
  ['success', 'Changed', 'changed'],
  ['noop', 'Would change', 'noop'],
  ['skipped', 'Skipped', 'unchanged'],
] as const;
type Status = (typeof statuses)[number][0];
const toneOf = (status: string): Tone => statuses.find(([name]) => name === status)?.[2] ?? 'unchanged';

const windows = { '24h': 24, '14d': 14 * 24 } as const;
type Window = keyof typeof windows | 'latest';

type Row = Pick<
  ReportEvent,
  'status' | 'timestamp' | 'resource_type' | 'resource_title' | 'message' | 'property' | 'file' | 'line'
> & { readonly certname: string; readonly report: string };
const columns = [
  'certname',
  'report',
  'status',
  'timestamp',
  'resource_type',
  'resource_title',
  'property',
  'message',
  'file',
  'line',
];

export function EventsPage({ address }: PageProps) {
  const { summary } = useSession();
  const { params } = address;
  const by = (Object.keys(groupings) as Grouping[]).find((name) => name === params.get('by')) ?? 'class';
  const status = statuses.find(([name]) => name === params.get('status'))?.[0] ?? 'failure';
  const window: Window = params.get('window') === '24h' ? '24h' : params.get('window') === '14d' ? '14d' : 'latest';
  const env = params.get('env');
  // Rounds the time to the hour, so that requests within an hour are identical and their answers can be reused.
  const since = (hours: number): string => {
    const now = new Date();
    now.setMinutes(0, 0, 0);
    return new Date(now.getTime() - hours * 3_600_000).toISOString();
  };
  const filters = (Object.keys(groupings) as Grouping[]).flatMap((name) => {
    const value = params.get(name);
    return value === undefined ? [] : [{ name, value, field: groupings[name].field }];
  });
  const condition = (without?: Grouping): Ast =>
    all(
      equal('status', status),
      window === 'latest' ? equal('latest_report?', true) : ['>', 'timestamp', since(windows[window])],
      env === undefined ? undefined : equal('environment', env),
      ...filters.filter(({ name }) => name !== without).map(({ field, value }) => equal(field, value)),
    )!;
  const { field, label, words } = groupings[by];
  const groups = useRows<Readonly<Record<string, string | null>> & { readonly count: number }>(
    from('events', [field, ['function', 'count']], condition(by), { groupBy: [field] }),
  );
  const events = useRows<Row>(from('events', columns, condition(), { order: [['timestamp', 'desc']], limit: 200 }));
  return (
    <>
      <PageHead title={<h1>Events</h1>} below="What runs did to resources">
        <EnvironmentChoice
          environments={summary.data?.environments ?? []}
          chosen={env}
          href={(name) => hrefWith(address, { env: name })}
        />
      </PageHead>
      <div class="row wrap">
        <Choice<Status>
          label="Result"
          chosen={status}
          href={(name) => hrefWith(address, { status: name === 'failure' ? undefined : name })}
          options={statuses.map(([name, text]) => [name, text] as const)}
        />
        <Choice<Window>
          label="Time"
          chosen={window}
          href={(name) => hrefWith(address, { window: name === 'latest' ? undefined : name })}
          options={[
            ['latest', 'Latest run of each node'],
            ['24h', '24 h'],
            ['14d', '14 d'],
          ]}
        />
        {filters.map(({ name, value }) => (
          <span key={name} class="chip">
            {groupings[name].words.toLowerCase()}{' '}
            <b class="trunc">{visible(excerpt(groupings[name].label(value), 60))}</b>
            <a href={hrefWith(address, { [name]: undefined })} aria-label={`Remove the filter ${name}`}>
              <Icon name="close" />
            </a>
          </span>
        ))}
      </div>
      <div class="cols lead">
        <Card
          title="By"
          end={
            <select
              class="btn tiny"
              aria-label="Group by"
              value={by}
              onChange={({ currentTarget }) => go(hrefWith(address, { by: currentTarget.value }))}
            >
              {Object.entries(groupings).map(([name, { words }]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          }
        >
          <Answered answer={groups} lines={8}>
            {(rows) => <Groups rows={rows} field={field} by={by} words={words} label={label} address={address} />}
          </Answered>
        </Card>
        <Card
          title="Events"
          note={
            events.data === undefined
              ? undefined
              : events.data.length === 200
                ? 'the newest 200'
                : counted(events.data.length, 'event')
          }
        >
          <Answered answer={events} lines={10}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title={status === 'failure' ? 'Nothing failed' : 'No such event'}>
                  {filters.length > 0 && (
                    <a class="btn" href={hrefTo(['events'], { status, by })}>
                      Drop the filters
                    </a>
                  )}
                </Empty>
              ) : (
                <EventTable rows={rows} />
              )
            }
          </Answered>
        </Card>
      </div>
    </>
  );
}

function Groups({
  rows,
  field,
  by,
  words,
  label,
  address,
}: {
  readonly rows: readonly (Readonly<Record<string, string | null>> & { readonly count: number })[];
  readonly field: string;
  readonly by: Grouping;
  readonly words: string;
  readonly label: (value: string) => string;
  readonly address: Address;
}) {
  const most = 50;
  const sorted = [...rows].sort((one, other) => other.count - one.count);
  const others = sorted.slice(most).reduce((sum, row) => sum + row.count, 0);
  if (rows.length === 0) return <Empty title="No event" />;
  const chosen = address.params.get(by);
  return (
    <div class="in">
      <Bars
        label={`Events by ${words.toLowerCase()}`}
        bars={[
          ...sorted.slice(0, most).map((row) => {
            const value = row[field];
            return {
              key: value ?? '\0',
              label:
                value === null || value === undefined ? (
                  <span class="faint">none</span>
                ) : (
                  <bdi>{visible(label(value))}</bdi>
                ),
              figure: row.count,
              isChosen: value === chosen && value !== undefined,
              ...(value === null || value === undefined
                ? {}
                : { href: hrefWith(address, { [by]: value === chosen ? undefined : value }) }),
            };
          }),
          ...(others === 0
            ? []
            : [{ key: '\0others', label: `${rows.length - most} others`, figure: others, tone: 'line' as const }]),
        ]}
      />
    </div>
  );
}

function EventTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <table class="fold events">
      <TableHead columns={['Resource and message', 'Node', 'When']} />
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} data-row>
            <td class="wide">
              <div class="failure-name">
                <Shape tone={toneOf(row.status)} />
                <ResourceName type={row.resource_type} title={row.resource_title} />
              </div>
              <div class="small muted wrap-any">
                {row.message !== null && visible(excerpt(row.message, 180))}
                {row.file !== null && <span class="mono"> · {visible(fileAndLine(row.file, row.line)!)}</span>}
              </div>
            </td>
            <td class="trunc">
              <NodeName name={row.certname} />
            </td>
            <td class="nowrap">
              <a class="plain-link" href={hrefTo(['reports', row.report])}>
                <Moment time={row.timestamp} />
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
