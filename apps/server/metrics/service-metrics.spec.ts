import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '#config';
import { Jolokia } from '#jolokia';
import { Alerts, openLog } from '#observe';
import { writeOpenMetrics } from '#openmetrics';
import { until } from '../../../test/support/until';
import { FileWatch } from '../file-watch';
import { ServiceMetrics } from './service-metrics';

const nobody = 'postgres://nobody:secret-of-nobody@127.0.0.1:1/nothing';
const live = {
  heldBodyBytes: () => 5,
  queries: () => undefined,
  projectorRuns: () => undefined,
  alerts: () => [],
  storage: async () => undefined,
};
const settings = (...flags: string[]) => readSettings(flags, {}).settings;
const components = new Set(['read'] as const);
const log = openLog({ level: 'silent' });
const alerts = new Alerts(log);
const files = new FileWatch({ alerts, log, onHangup: false, intervalMs: 20 });

afterAll(async () => {
  await files.stop();
  alerts.close();
});

test('turned off, there are none', async () => {
  const metrics = await ServiceMetrics.start(settings('--metrics-enabled', 'false'), files);
  expect(metrics.open(nobody, undefined, components, live)).toBeUndefined();
  await metrics.close();
});

test('without a database there are those of the process, and nobody waits for the others', async () => {
  const metrics = await ServiceMetrics.start(settings(), files);
  try {
    const options = metrics.open(nobody, undefined, components, live)!;
    const text = await writeOpenMetrics(options.families);
    expect(text).toContain('nodeledger_http_held_body_bytes 5.0\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}/m);
    expect(text).toMatch(/^nodeledger_event_loop_delay_seconds\{thread="main",statistic="p99"\} /m);
    expect(text).toMatch(/^nodeledger_heap_bytes\{thread="main",area="limit"\} \d{7,}/m);
    expect(text).not.toContain('thread="projector"');
    for (const unknown of ['lag_records', 'nodes', 'dead_letters', 'rebuild_records', 'projector_running'])
      expect(text).not.toContain(`nodeledger_${unknown}`);
    expect(text).not.toContain('secret-of-nobody');
    const jolokia = new Jolokia(options.jolokia);
    const read = (mbean: string): Promise<unknown> => jolokia.get(`read/${mbean}`, new URLSearchParams());
    expect(await read('nodeledger.mq:name=global.depth')).toMatchObject({ status: 200, value: { Count: null } });
    expect(await read('nodeledger.population:name=num-nodes')).toMatchObject({ status: 200, value: { Value: null } });
    expect(JSON.stringify(await read('*:*'))).not.toContain('secret-of-nobody');
  } finally {
    await metrics.close();
  }
});

test('a policy with a mistake stops the start; later it raises an alert, and the earlier policy stays in use', async () => {
  const file = join(process.env['TMPDIR'] ?? '/tmp', `nodeledger-metrics-policy-${process.pid}.yaml`);
  const start = (): Promise<ServiceMetrics> => ServiceMetrics.start(settings('--metrics-policy', file), files);
  await expect(start()).rejects.toMatchObject({ code: 'metrics.policy' });
  writeFileSync(file, 'commands: [exec]');
  await expect(start()).rejects.toMatchObject({ code: 'metrics.policy' });
  writeFileSync(file, 'deny: [{mbean: "java.lang:*"}]');
  const metrics = await start();
  const options = metrics.open(nobody, undefined, components, live)!;
  const jolokia = new Jolokia(options.jolokia);
  const found = async (): Promise<unknown> =>
    ((await jolokia.get('search/java.lang:*', new URLSearchParams())) as { value: unknown }).value;
  expect(await found()).toEqual([]);
  writeFileSync(file, 'deny: {}');
  await until(() => alerts.active().some(({ code }) => code === 'metrics.policy'));
  expect(alerts.active()[0]?.message).toMatch(/^The new content of the metrics policy is invalid: .*deny must be/);
  expect(await found()).toEqual([]);
  writeFileSync(file, 'allow: [{mbean: "java.lang:type=Memory"}]');
  await until(async () => JSON.stringify(await found()) === '["java.lang:type=Memory"]');
  expect(alerts.active()).toEqual([]);
  await metrics.close();
});
