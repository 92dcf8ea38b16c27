import { hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Mark } from '../../parts/status';
import { count, counted, percent } from '../../parts/text';
import { momentText } from '../../parts/moments';
import { TimeBars } from '../../parts/time-bars';
import { useAnswer } from '../../service/use-answer';
import type { Runs } from '../../service/shapes';

const windows = {
  '24h': { step: '30m', words: '24 h', each: 'half hour' },
  '14d': { step: '6h', words: '14 d', each: '6 h' },
} as const;
type Window = keyof typeof windows;

/** Omits runs that changed nothing, because they are so many that the other runs would be invisible. */
export function RunsCard({ address, env }: { readonly address: Address; readonly env: string | undefined }) {
  const window: Window = address.params.get('window') === '14d' ? '14d' : '24h';
  const isTable = address.params.get('runs') === 'table';
  const { step, each } = windows[window];
  const runs = useAnswer<Runs>('nodeledger/v1/runs', { window, step, environment: env }, { every: 30 });
  return (
    <Card
      title="Runs"
      note={
        <span class="legend">
          <Mark tone="failed">Failed</Mark>
          <Mark tone="changed">Changed</Mark>
        </span>
      }
      end={
        <Choice
          label="Window"
          chosen={window}
          href={(name) => hrefWith(address, { window: name === '24h' ? undefined : name })}
          options={Object.entries(windows).map(([name, { words }]) => [name as Window, words] as const)}
        />
      }
      footer={<Footer runs={runs.data} each={each} address={address} isTable={isTable} />}
    >
      <Answered answer={runs} lines={5}>
        {(data) =>
          data.buckets.every(({ failed, changed, noop, unchanged }) => failed + changed + noop + unchanged === 0) ? (
            <Empty title="No run in this time" />
          ) : isTable ? (
            <RunsTable runs={data} />
          ) : (
            <div class="in">
              <TimeBars
                step={data.step}
                buckets={data.buckets}
                marks={data.marks.map(({ at, environment, code_id: code }) => ({
                  at,
                  words: `code ${code.slice(0, 7)}${environment === null ? '' : ` reached ${environment}`}`,
                }))}
              />
            </div>
          )
        }
      </Answered>
    </Card>
  );
}

function Footer({
  runs,
  each,
  address,
  isTable,
}: {
  readonly runs: Runs | undefined;
  readonly each: string;
  readonly address: Address;
  readonly isTable: boolean;
}) {
  const total = sum(runs, (bucket) => bucket.failed + bucket.changed + bucket.noop + bucket.unchanged);
  const quiet = sum(runs, ({ noop, unchanged }) => noop + unchanged);
  return (
    <>
      <span class="grow">
        {runs === undefined
          ? ' '
          : `${counted(total, 'run')}, each ${each}; ${percent(quiet, total)} changed nothing (not drawn)`}
      </span>
      <a class="link" href={hrefWith(address, { runs: isTable ? undefined : 'table' })}>
        {isTable ? 'Show as chart' : 'Show as table'}
      </a>
    </>
  );
}

const sum = (runs: Runs | undefined, figure: (bucket: Runs['buckets'][number]) => number): number =>
  (runs?.buckets ?? []).reduce((total, bucket) => total + figure(bucket), 0);

function RunsTable({ runs }: { readonly runs: Runs }) {
  const rows = runs.buckets.filter((bucket) => bucket.failed + bucket.changed + bucket.noop + bucket.unchanged > 0);
  return (
    <div class="scroll tall">
      <table>
        <TableHead columns={['From', ['Failed', 'num'], ['Changed', 'num'], ['No-op', 'num'], ['Unchanged', 'num']]} />
        <tbody>
          {rows.reverse().map(({ at, failed, changed, noop, unchanged }) => (
            <tr key={at}>
              <td>{momentText(at)}</td>
              {[failed, changed, noop, unchanged].map((figure, index) => (
                <td key={index} class="num">
                  {count(figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
