import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Empty } from '../../parts/states';
import { Shape } from '../../parts/status';
import { clockTime, exactTime } from '../../parts/moments';
import { all, equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { Report } from '../../service/shapes';
import { runTone, runWords } from '../report/run-status';

type Row = Pick<Report, 'hash' | 'certname' | 'status' | 'noop' | 'noop_pending' | 'end_time' | 'receive_time'>;

const columns = ['hash', 'certname', 'status', 'noop', 'noop_pending', 'end_time', 'receive_time'];

export function LatestRuns({ env }: { readonly env: string | undefined }) {
  const condition = all(
    ['in', 'status', ['array', ['changed', 'failed']]],
    env === undefined ? undefined : equal('environment', env),
  );
  const query = from('reports', columns, condition, { order: [['receive_time', 'desc']], limit: 12 });
  const rows = useRows<Row>(query, { every: 15 });
  return (
    <Card
      title="Latest runs"
      note="that changed or failed"
      footer={
        <a class="link" href={hrefTo(['reports'], { env })}>
          All reports
        </a>
      }
    >
      <Answered answer={rows} lines={8}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No run changed anything yet" />
          ) : (
            <ol class="tl">
              {found.map((row) => (
                <li key={row.hash}>
                  <time dateTime={row.end_time} title={exactTime(row.end_time)}>
                    {clockTime(row.end_time)}
                  </time>
                  <span class="dot">
                    <Shape tone={runTone(row)} />
                  </span>
                  <div class="what">
                    <div class="trunc">
                      <NodeName name={row.certname} />
                    </div>
                    <a class="small muted" href={hrefTo(['reports', row.hash])}>
                      {runWords(row)}
                    </a>
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </Answered>
    </Card>
  );
}
