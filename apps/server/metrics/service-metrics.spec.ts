import { readSettings } from '#config';
import { Jolokia } from '#jolokia';
import { writeOpenMetrics } from '#openmetrics';
import { ServiceMetrics } from './service-metrics';

const nobody = 'postgres://nobody:secret-of-nobody@127.0.0.1:1/nothing';
const live = {
  heldBodyBytes: () => 5,
  queries: () => undefined,
  streams: () => undefined,
  projectorRuns: () => undefined,
  alerts: () => [],
  storage: async () => undefined,
  webhookLags: () => undefined,
};
const settings = (...flags: string[]) => readSettings(flags, {}).settings;
const components = new Set(['read'] as const);

test('without a database there are those of the process, and nobody waits for the others', async () => {
  const metrics = new ServiceMetrics(settings());
  try {
    const options = metrics.open(nobody, undefined, components, live);
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
