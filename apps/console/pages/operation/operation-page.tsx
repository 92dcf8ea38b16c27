import { useRef } from 'preact/hooks';
import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { Loading, Trouble } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Mark, Shape } from '../../parts/status';
import { bytes, count, counted, visible } from '../../parts/text';
import { durationText } from '../../parts/moments';
import { Age, Moment } from '../../parts/time';
import { useAnswer } from '../../service/use-answer';
import type { Letters, Operation } from '../../service/shapes';
import type { PageProps } from '../page-props';
import { DeadLetters } from './dead-letters';
import { Meter } from './meter';
import { ratesOf, type Rates } from './rates';
import { WorkCard } from './work-card';

export function OperationPage({ address }: PageProps) {
  const operation = useAnswer<Operation>('nodeledger/v1/operation', {}, { every: 10 });
  const letters = useAnswer<Letters>('nodeledger/v1/dead-letters', { limit: 100 }, { every: 15 });
  const { data } = operation;
  const rates = useRates(data);
  return (
    <>
      <PageHead
        title={<h1>{data === undefined ? 'Operation' : headingOf(data)}</h1>}
        below={data === undefined ? ' ' : noteOf(data, rates)}
      >
        <a class="btn" href={hrefTo(['operation', 'settings'])}>
          Settings
        </a>
      </PageHead>
      <Trouble answer={operation} />
      <div class="cols">
        <div class="stack">
          <DeadLetters answer={letters} address={address} />
          {data === undefined ? (
            operation.refusal === undefined && <Loading lines={8} />
          ) : (
            <Partitions operation={data} rates={rates} />
          )}
        </div>
        {data !== undefined && (
          <div class="stack">
            <WorkCard operation={data} />
            <Health operation={data} />
            <Generations operation={data} />
            <Storage operation={data} />
          </div>
        )}
      </div>
    </>
  );
}

function useRates(data: Operation | undefined): Rates | undefined {
  const seen = useRef<{ before?: Operation; now?: Operation }>({});
  if (data !== undefined && data !== seen.current.now)
    seen.current = { ...(seen.current.now && { before: seen.current.now }), now: data };
  const { before, now } = seen.current;
  return before === undefined || now === undefined ? undefined : ratesOf(before, now);
}

function headingOf({ health, log, state, partitions }: Operation): string {
  const [first] = health;
  if (health.length > 1) return `${count(health.length)} alerts need you`;
  if (first !== undefined) return visible(first.says);
  if (state !== 'running') return `The service is ${state}`;
  if (log.lag === 0) return 'The tables are as new as the log';
  const lagging = partitions.filter(({ lag }) => lag > 0);
  const [only] = lagging;
  return lagging.length === 1 && only !== undefined
    ? `Partition ${only.partition} is ${counted(only.lag, 'record')} behind`
    : `The tables are ${counted(log.lag, 'record')} behind the log`;
}

function noteOf({ dead_letters: dead }: Operation, rates: Rates | undefined): string {
  const letters =
    dead === 0
      ? 'No command was rejected.'
      : `${counted(dead, 'rejected command')} ${dead === 1 ? 'waits' : 'wait'} for you.`;
  return rates === undefined
    ? letters
    : `${rates.accepted.toFixed(1)} commands a second are accepted, ${rates.applied.toFixed(1)} applied. ${letters}`;
}

function Partitions({ operation, rates }: { readonly operation: Operation; readonly rates: Rates | undefined }) {
  return (
    <Card title="Partitions" note={count(operation.partitions.length)}>
      <div class="scroll">
        <table class="partitions">
          <TableHead
            columns={[
              'No.',
              ['History from', 'num'],
              ['Log ends', 'num'],
              ['Applied', 'num'],
              ['Waiting', 'num'],
              ['Rate', 'num'],
            ]}
          />
          <tbody>
            {operation.partitions.map(({ partition, history_from: from, end, applied, lag }) => (
              <tr key={partition} data-row>
                <td class="main">{partition}</td>
                <td class="num">{count(from)}</td>
                <td class="num">{count(end)}</td>
                <td class="num">{count(applied)}</td>
                <td class="num">{lag === 0 ? '–' : <b class="stale">{count(lag)}</b>}</td>
                <td class="num muted">
                  {rates === undefined ? '–' : `${(rates.partitions.get(partition) ?? 0).toFixed(1)}/s`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Health({ operation: { health, state } }: { readonly operation: Operation }) {
  return (
    <Card
      title="Health"
      end={
        <Mark tone={health.length === 0 && state === 'running' ? 'good' : 'stale'} box>
          {health.length === 0 ? state : counted(health.length, 'alert')}
        </Mark>
      }
    >
      {health.length === 0 ? (
        <p class="in muted">No check has anything to say.</p>
      ) : (
        <ul class="lines">
          {health.map(({ check, level, says, effect, remedy, since }) => (
            <li key={check}>
              <div class="failure-name">
                <Shape tone={level === 'warning' ? 'stale' : 'failed'} />
                <b>{visible(says)}</b>
              </div>
              {effect !== null && <div class="small">{visible(effect)}</div>}
              {remedy !== null && <div class="small muted">{visible(remedy)}</div>}
              <div class="xs muted">
                {check}, since <Moment time={since} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Generations({ operation: { generations, log } }: { readonly operation: Operation }) {
  return (
    <Card title="Generations" note="complete sets of tables">
      <table>
        <tbody>
          {generations.map(({ generation, state, created, lag }) => (
            <tr key={generation}>
              <td class="main">{generation}</td>
              <td>{state === 'live' ? <Mark tone="good">live</Mark> : <span class="muted">{visible(state)}</span>}</td>
              <td class="small muted num">
                {lag !== null && lag > 0 ? `${counted(lag, 'record')} behind` : <Age time={created} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <span>
          Log: {visible(log.stored_in)}
          {log.last_snapshot !== null && (
            <>
              {', snapshot of '}
              <Moment time={log.last_snapshot} />
            </>
          )}
        </span>
      </footer>
    </Card>
  );
}

function Storage({ operation: { storage } }: { readonly operation: Operation }) {
  if (storage === null) return null;
  const { disk, log_bytes: log, table_bytes: tables, other_bytes: other, wal_bytes: wal } = storage;
  const used = disk === null ? 0 : disk.total_bytes - disk.free_bytes;
  return (
    <Card title="Storage">
      <dl class="kv in">
        <dt>Log</dt>
        <dd>{log === null ? 'elsewhere' : bytes(log)}</dd>
        <dt>Tables</dt>
        <dd>{bytes(tables)}</dd>
        <dt>Other</dt>
        <dd>{bytes(other + (wal ?? 0))}</dd>
        {disk !== null && (
          <>
            <dt>Disk</dt>
            <dd>
              {bytes(disk.free_bytes)} free of {bytes(disk.total_bytes)}
              <Meter
                share={(used / disk.total_bytes) * 100}
                tone={disk.free_bytes / disk.total_bytes < 0.1 ? 'stale' : 'data'}
                words={`${Math.round((used / disk.total_bytes) * 100)} % used`}
              />
            </dd>
            {disk.seconds_until_full !== null && (
              <>
                <dt>Full in</dt>
                <dd>{durationText(disk.seconds_until_full * 1000)}, if it grows as today</dd>
              </>
            )}
          </>
        )}
      </dl>
    </Card>
  );
}
