/**
 * The Kafka broker of a test run: the one of the environment, or one that the global set-up starts for the first spec
 * that requests it.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';

export { type BrokerOptions, type OwnBroker, startBroker } from './kafka/own-broker';
export { type ClusterNode, type OwnCluster, startCluster } from './kafka/own-cluster';

let brokerOfRun: Promise<string> | undefined;

/**
 * Returns the broker of TEST_KAFKA_BROKERS or KAFKA_BROKERS, or the broker of the run, or the reason why there is none.
 */
export async function kafkaBrokers(): Promise<string[] | { skipped: string }> {
  const named = namedBrokers();
  if (named !== undefined) return named;
  const skipped = whyNot();
  if (skipped !== undefined) return { skipped };
  brokerOfRun ??= ask('kafka');
  return [await brokerOfRun];
}

/**
 * Calls `describe`, or `describe.skip` if there is no broker; the global tear-down then prints a line. With
 * NODELEDGER_REQUIRE_KAFKA=1, a missing broker is a failure.
 */
export function describeWithKafka(title: string, body: () => void): void {
  if (namedBrokers() !== undefined) return describe(title, body);
  const why = whyNot();
  if (why === undefined) {
    return describe(title, () => {
      // Downloading the broker, once for each machine, takes longer than the set-up of a test may.
      beforeAll(() => ask('kafka/jars'), 11 * 60_000);
      body();
    });
  }
  if (process.env.NODELEDGER_REQUIRE_KAFKA === '1') throw new Error(`${title}: Kafka is required, and ${why}`);
  const list = process.env.NODELEDGER_TEST_KAFKA_SKIPS;
  if (list !== undefined) appendFileSync(list, `${title}\n`);
  describe.skip(title, body);
}

/** Returns a topic name that no other test uses. */
export function freshTopic(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

function namedBrokers(): string[] | undefined {
  const named = process.env.TEST_KAFKA_BROKERS || process.env.KAFKA_BROKERS;
  const brokers = named?.split(',').map((broker) => broker.trim());
  return brokers?.filter((broker) => broker !== '');
}

function whyNot(): string | undefined {
  if (process.env.NODELEDGER_TEST_DESK === undefined)
    return 'the specs do not run by jest from the repository, whose global set-up gives the broker';
  return process.env.NODELEDGER_TEST_KAFKA_MISSING || undefined;
}

async function ask(what: string): Promise<string> {
  const answer = await fetch(new URL(what, process.env.NODELEDGER_TEST_DESK));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the run has no Kafka: ${text}`);
  return text;
}
