import { catalog, event, factset, report, resource } from '../../../test/support/documents';
import type { ConsoleBench } from './console-bench';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

interface Run {
  readonly status?: 'failed' | 'changed' | 'unchanged';
  readonly noop?: boolean;
  readonly ago: number;
  readonly environment?: string;
}

/** Submits the report of a run that ended `ago` minutes ago. The report of a failed run contains a failed event. */
export async function submitRun(
  { projection }: ConsoleBench,
  certname: string,
  { status = 'unchanged', noop = false, ago: minutes, environment = 'production' }: Run,
): Promise<void> {
  const time = ago(minutes);
  const events =
    status === 'failed'
      ? [event('ensure', { status: 'failure', message: `${certname}: no space in 0x1f after 12 s`, timestamp: time })]
      : status === 'changed'
        ? [event('mode', { timestamp: time }), event('owner', { timestamp: time })]
        : [];
  const times = { producer_timestamp: time, start_time: time, end_time: time };
  await projection.submit('store report', certname, {
    payload: report(certname, events, { status, noop, noop_pending: noop, environment, ...times }),
    receivedAt: Date.parse(time),
  });
}

/**
 * Submits documents for six active nodes and one deactivated node. `bad1` and `bad2` have failed, `silent` has not
 * reported for 5 hours, `plan` runs no-op, `new` has changed, and `good` is unchanged. `gone` is deactivated.
 */
export async function submitSmallFleet(bench: ConsoleBench): Promise<void> {
  const { projection } = bench;
  const facts = (certname: string, values: unknown, packages?: unknown): Promise<unknown> =>
    projection.submit('replace facts', certname, {
      payload: factset(certname, values, {
        producer_timestamp: ago(30),
        ...(packages === undefined ? {} : { package_inventory: packages }),
      }),
    });
  const os = (name: string, full: string) => ({ name, release: { full } });
  await facts('bad1.example.com', { os: os('Debian', '12.7'), role: 'kube', cores: 4, virtual: true }, [
    ['openssl', '3.0.9-1', 'apt'],
    ['zsh', '5.9', 'apt'],
  ]);
  await facts('bad2.example.com', { os: os('Debian', '12.10'), role: 'web', cores: 4 }, [
    ['openssl', '3.0.15-1', 'apt'],
  ]);
  await facts('silent.example.com', { os: os('Rocky', '9'), role: 'web', cores: '4' }, [
    ['openssl', '3.0.15-1', 'apt'],
  ]);
  await facts('plan.example.com', { os: os('Debian', '12.7'), role: null, cores: 4.5 });
  await facts('new.example.com', { os: os('Ubuntu', '24.04'), role: 'x'.repeat(2_000) });
  await submitRun(bench, 'bad1.example.com', { status: 'failed', ago: 60 * 24 + 20 });
  await submitRun(bench, 'bad1.example.com', { status: 'unchanged', ago: 90 });
  await submitRun(bench, 'bad1.example.com', { status: 'failed', ago: 50 });
  await submitRun(bench, 'bad1.example.com', { status: 'failed', ago: 20 });
  await submitRun(bench, 'bad2.example.com', { status: 'failed', ago: 21, environment: 'staging' });
  await submitRun(bench, 'silent.example.com', { status: 'failed', ago: 300 });
  await submitRun(bench, 'plan.example.com', { noop: true, ago: 10 });
  await submitRun(bench, 'new.example.com', { status: 'changed', ago: 10 });
  await submitRun(bench, 'good.example.com', { ago: 10 });
  await submitRun(bench, 'gone.example.com', { status: 'failed', ago: 10 });
  await projection.submit('replace catalog', 'good.example.com', {
    payload: catalog(
      'good.example.com',
      [resource('Web::Server', { type: 'Class', parameters: {} }), resource('/etc/hosts')],
      [],
      { producer_timestamp: ago(10) },
    ),
  });
  await projection.submit('deactivate node', 'gone.example.com', {
    payload: { certname: 'gone.example.com', producer_timestamp: ago(5) },
  });
  await projection.settle();
  if (projection.deadLetters.length > 0) throw new Error(JSON.stringify(projection.deadLetters));
}
