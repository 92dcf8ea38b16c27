import { hrefTo, hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Empty, Loading, Trouble } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Mark } from '../../parts/status';
import { counted, visible } from '../../parts/text';
import { durationText } from '../../parts/moments';
import { Moment } from '../../parts/time';
import { all, type Ast, equal, from, rootQuery } from '../../service/ast';
import { usePages } from '../../service/use-pages';
import type { Report } from '../../service/shapes';
import { runTone, runWord } from './run-status';

type Row = Pick<
  Report,
  | 'hash'
  | 'certname'
  | 'status'
  | 'noop'
  | 'noop_pending'
  | 'start_time'
  | 'end_time'
  | 'environment'
  | 'code_id'
  | 'configuration_version'
>;
const columns = [
  'hash',
  'certname',
  'status',
  'noop',
  'noop_pending',
  'start_time',
  'end_time',
  'environment',
  'code_id',
  'configuration_version',
];

const pageSize = 100;
const choices = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
] as const;
type Choice = (typeof choices)[number][0];

export function ReportTable({
  title,
  condition,
  address,
  withNames,
  total,
}: {
  readonly title: string;
  readonly condition: Ast | undefined;
  readonly address: Address;
  readonly withNames: boolean;
  readonly total?: number;
}) {
  const status = choices.find(([name]) => name === address.params.get('status'))?.[0] ?? 'all';
  const chosen = status === 'all' ? undefined : equal('status', status);
  const queryAt = (offset: number): string =>
    from('reports', columns, all(condition, chosen), { order: [['end_time', 'desc']], limit: pageSize, offset });
  const list = usePages<readonly Row[]>(rootQuery, { query: queryAt(0) }, (page, pages) =>
    page.length < pageSize ? undefined : { query: queryAt(pages.length * pageSize) },
  );
  const rows = list.data?.pages.flat();
  return (
    <Card
      title={title}
      note={total === undefined || status !== 'all' ? undefined : counted(total, 'run')}
      end={
        <Choice<Choice>
          label="Status"
          chosen={status}
          href={(name) => hrefWith(address, { status: name === 'all' ? undefined : name })}
          options={choices}
        />
      }
      footer={
        list.hasMore && (
          <button type="button" class="textual" onClick={list.more}>
            Show older runs
          </button>
        )
      }
    >
      <Trouble answer={list} />
      {rows === undefined ? (
        list.refusal === undefined && <Loading lines={8} />
      ) : rows.length === 0 ? (
        <Empty title={status === 'all' ? 'No report yet' : `No run is ${status}`}>
          {status !== 'all' && (
            <a class="btn" href={hrefWith(address, { status: undefined })}>
              Show all runs
            </a>
          )}
        </Empty>
      ) : (
        <table class={`fold reports ${list.isOld ? 'old' : ''}`}>
          <TableHead
            columns={[
              ['Result', 'w-status'],
              ...(withNames ? ['Node'] : []),
              'Ended',
              ['Took', 'num'],
              'Environment',
              'Code',
            ]}
          />
          <tbody>
            {rows.map((row) => (
              <tr key={row.hash} data-row>
                <td>
                  <a href={hrefTo(['reports', row.hash])} aria-label={`${runWord(row)}, open the report`}>
                    <Mark tone={runTone(row)}>{runWord(row)}</Mark>
                  </a>
                </td>
                {withNames && (
                  <td class="main trunc">
                    <NodeName name={row.certname} />
                  </td>
                )}
                <td class="nowrap">
                  <a class="plain-link" href={hrefTo(['reports', row.hash])}>
                    <Moment time={row.end_time} />
                  </a>
                </td>
                <td class="num nowrap">
                  {durationText(new Date(row.end_time).getTime() - new Date(row.start_time).getTime())}
                </td>
                <td class="off trunc">{row.environment !== null && <bdi>{visible(row.environment)}</bdi>}</td>
                <td class="off mono small muted">{visible(row.code_id?.slice(0, 7) ?? row.configuration_version)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
