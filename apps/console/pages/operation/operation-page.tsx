import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { Answered, Empty } from '../../parts/states';
import { Mark, Shape } from '../../parts/status';
import { bytes, count, counted, visible } from '../../parts/text';
import { durationText } from '../../parts/moments';
import { useAnswer } from '../../service/use-answer';
import type { Letters } from '../../service/shapes';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { DeadLetters } from './dead-letters';
import { readServiceStatus, type ServicesAnswer, type ServiceStatus } from './service-status';

/** Is the log well? */
export function OperationPage({ address }: PageProps) {
  const { deadLetters } = useSession();
  const services = useAnswer<ServicesAnswer>('status/v1/services', {}, { every: 10 });
  const letters = useAnswer<Letters>('nodeledger/v1/dead-letters', { limit: 100 }, { every: 15 });
  const status = services.data === undefined ? undefined : readServiceStatus(services.data);
  return (
    <>
      <PageHead
        title={<h1>{status === undefined ? 'Operation' : headingOf(status)}</h1>}
        below={<Note dead={letters.data?.total ?? deadLetters} />}
      >
        <a class="btn" href={hrefTo(['operation', 'settings'])}>
          Settings
        </a>
      </PageHead>
      <div class="cols">
        <div class="stack">
          <DeadLetters answer={letters} address={address} />
        </div>
        <div class="stack">
          <Card title="Service">
            <Answered answer={services} lines={4}>
              {(answer) => <Service status={readServiceStatus(answer)} />}
            </Answered>
          </Card>
          <Card title="Storage">
            <Answered answer={services} lines={4}>
              {(answer) => <Storage status={readServiceStatus(answer)} />}
            </Answered>
          </Card>
        </div>
      </div>
    </>
  );
}

function headingOf({ state, waiting, alerts }: ServiceStatus): string {
  const [alert] = alerts;
  if (alerts.length > 1) return `${count(alerts.length)} alerts need you`;
  if (alert !== undefined) return visible(alert.message);
  if (state !== 'running') return `The service is ${state}`;
  if (waiting > 0) return `The tables are ${counted(waiting, 'record')} behind the log`;
  return 'The tables are as new as the log';
}

function Note({ dead }: { readonly dead: number | undefined }) {
  if (dead === undefined) return <> </>;
  return (
    <>
      {dead === 0
        ? 'No command was rejected.'
        : `${counted(dead, 'rejected command')} ${dead === 1 ? 'waits' : 'wait'} for you.`}
    </>
  );
}

function Service({ status }: { readonly status: ServiceStatus }) {
  const { state, version, waiting, alerts } = status;
  return (
    <>
      <dl class="kv in">
        <dt>State</dt>
        <dd>
          <Mark tone={state === 'running' ? 'good' : 'stale'}>{state}</Mark>
        </dd>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Waiting</dt>
        <dd>{waiting === 0 ? 'no record' : counted(waiting, 'record')}</dd>
        <dt>Alerts</dt>
        <dd>{alerts.length === 0 ? 'none' : counted(alerts.length, 'alert')}</dd>
      </dl>
      {alerts.length > 0 && (
        <ul class="lines">
          {alerts.map(({ severity, message }, index) => (
            <li key={index} class="failure-name">
              <Shape tone={severity === 'warning' ? 'stale' : 'failed'} />
              <span>{visible(message)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Storage({ status }: { readonly status: ServiceStatus }) {
  const { storage } = status;
  if (storage === undefined) return <Empty title="This process does not measure it" />;
  const { disk } = storage;
  const used = disk === undefined || disk === null ? undefined : disk.total_bytes - disk.free_bytes;
  return (
    <dl class="kv in">
      <dt>Log</dt>
      <dd>{bytes(storage.log_bytes)}</dd>
      <dt>Tables</dt>
      <dd>{bytes(storage.table_bytes)}</dd>
      <dt>Other</dt>
      <dd>{bytes(storage.other_bytes + (storage.wal_bytes ?? 0))}</dd>
      {disk !== undefined && disk !== null && used !== undefined && (
        <>
          <dt>Disk</dt>
          <dd>
            {bytes(disk.free_bytes)} free of {bytes(disk.total_bytes)}
            <svg
              class="meter-line"
              viewBox="0 0 100 4"
              preserveAspectRatio="none"
              role="img"
              aria-label={`${Math.round((used / disk.total_bytes) * 100)} % used`}
            >
              <rect class="back" width="100" height="4" />
              <rect
                class={disk.free_bytes / disk.total_bytes < 0.1 ? 'stale' : 'data'}
                width={(used / disk.total_bytes) * 100}
                height="4"
              />
            </svg>
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
  );
}
