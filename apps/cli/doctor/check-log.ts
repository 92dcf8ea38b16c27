import type { Settings } from '#config';
import { type Database, Generations, positionsOf } from '#database';
import { openCommandLog } from '../../server/open-log';
import type { Finding } from './finding';

const check = 'log';

/**
 * Opens the log from which the live read tables were made, and counts the commands that the tables lack. Does not
 * create a log.
 */
export async function checkLog(settings: Readonly<Settings>, db: Database): Promise<Finding[]> {
  const live = (await new Generations(db).list()).find(({ state }) => state === 'live');
  if (live === undefined) {
    return [{ check, level: 'ok', text: 'There are no read tables yet: the first start of the service creates them.' }];
  }
  const positions = await positionsOf(db, live.generation);
  const [first] = positions.values();
  const findings: Finding[] = [];
  const onNotice = (text: string): void =>
    void findings.push({
      check,
      level: 'warning',
      text,
      remedy: 'docs/reliability.md describes the settings of the topic.',
    });
  const log = await openCommandLog(settings, db, { expectedLogId: first?.logId, onNotice });
  try {
    await log.open();
    let waiting = 0;
    for (const [partition, end] of await log.ends()) waiting += end - (positions.get(partition)?.nextOffset ?? end);
    const body = settings.kafkaBrokers === undefined ? 'embedded' : `Kafka topic ${settings.logTopic}`;
    findings.push({
      check,
      level: 'ok',
      text: `The log (${body}) can be read; ${waiting} commands are not applied yet.`,
    });
    return findings;
  } finally {
    await log.close();
  }
}
