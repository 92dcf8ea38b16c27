import { Fault } from '#fault';
import type { TopicAdmin } from './topic-admin';

/** Bytes of a batch in addition to its payloads. */
export const batchOverhead = 1 << 20;

const held: ReadonlyMap<string, string> = new Map([
  ['cleanup.policy', 'delete'],
  ['retention.ms', '-1'],
  ['retention.bytes', '-1'],
]);

export const neededConfig = (maxMessageBytes: number): ReadonlyMap<string, string> =>
  new Map([...held, ['max.message.bytes', String(maxMessageBytes)]]);

export interface TopicSettings {
  readonly maxMessageBytes: number;
  /** `min.insync.replicas`, or the number of replicas if it is smaller. */
  readonly minInSync: number;
}

/**
 * Throws `log.topic-settings`. A setting that can cause a loss of records is only reported to `onNotice`, because an
 * operator can choose it.
 */
export async function checkSettings(
  admin: TopicAdmin,
  topic: string,
  leastMessageBytes: number,
  onNotice?: (text: string) => void,
): Promise<TopicSettings> {
  const [config, { replicas }] = await Promise.all([admin.config(topic), admin.shape(topic)]);
  const wrong = [...held].filter(([name, value]) => config.get(name) !== value);
  const largest = Number(config.get('max.message.bytes'));
  if (!(largest >= leastMessageBytes)) wrong.push(['max.message.bytes', String(leastMessageBytes)]);
  if (wrong.length > 0) {
    const said = wrong.map(([name, value]) => `${name} is ${config.get(name)} and must be ${value}`);
    throw new Fault(
      'conflict',
      'log.topic-settings',
      `topic ${topic} is not configured as a log needs it: ${said.join('; ')}`,
      {
        hint: `Records could be lost or refused. Set it: kafka-configs.sh --alter --entity-type topics --entity-name ${topic} --add-config ${wrong.map(([name, value]) => `${name}=${value}`).join(',')}`,
        details: Object.fromEntries(wrong),
      },
    );
  }
  const inSync = Number(config.get('min.insync.replicas') ?? 1);
  if (replicas < 3) {
    onNotice?.(
      `topic ${topic} has replication factor ${replicas}: the loss of ${replicas === 1 ? 'its broker' : 'two brokers'} loses acknowledged commands; set 3 for durable storage`,
    );
  }
  if (inSync < 2) {
    onNotice?.(
      `topic ${topic} has min.insync.replicas ${inSync}: a command may be acknowledged while one broker alone has it; set 2`,
    );
  }
  if (config.get('unclean.leader.election.enable') === 'true') {
    onNotice?.(`topic ${topic} has unclean.leader.election.enable: a broker that lags may drop acknowledged commands`);
  }
  return { maxMessageBytes: largest, minInSync: Math.min(inSync, replicas) };
}
