import { defaultLimits } from '#limits';
import { noTracing, openLog } from '#observe';
import { until } from '../../test/support/until';
import { ProjectorMeters } from './metrics/projector-meters';
import { ProjectorThread } from './projector-thread';
import { SharedAlert } from './shared-alert';

test('raises the alert and retries if its thread cannot be started', async () => {
  const raised: string[] = [];
  const alerts = {
    raise: (_: string, { message }: { message: string }) => raised.push(message),
    clear: () => undefined,
  };
  const thread = new ProjectorThread({
    task: {
      connectionString: '',
      log: { kind: 'embedded' },
      logId: '',
      maxCommandBytes: 1,
      limits: defaultLimits,
      // A function cannot be passed to a thread, so the thread cannot be created.
      factsBlocklist: [(() => undefined) as never],
    } as never,
    log: openLog({ level: 'silent' }),
    alert: new SharedAlert(alerts, 'projector.ended'),
    outages: { report: () => undefined },
    meters: new ProjectorMeters({ batchCommitted: () => undefined, metersOf: () => [] }, 1),
    tracing: noTracing,
  });
  thread.start();
  await until(() => raised.length === 2);
  await thread.stop();
  expect(raised[0]).toMatch(/^The projector has ended: /);
  expect(thread.running).toBe(false);
});
