/** The Kafka broker of a test run: one that is named, else one that the global set-up starts for the first who asks. */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';

export { type BrokerOptions, type OwnBroker, startBroker } from './kafka/own-broker';
export { type ClusterNode, type OwnCluster, startCluster } from './kafka/own-cluster';

let asked: Promise<string> | undefined;

/** The broker of TEST_KAFKA_BROKERS or KAFKA_BROKERS, else the run's own, else why there is none. */
export async function kafkaBrokers(): Promise<string[] | { skipped: string }> {
  const named = namedBrokers();
  if (named !== undefined) return named;
  const skipped = whyNot();
  if (skipped !== undefined) return { skipped };
  asked ??= ask('kafka');
  return [await asked];
}

/**
 * `describe`, or `describe.skip` where no broker can be had; the global tear-down says so in one line. With
 * NODELEDGER_REQUIRE_KAFKA=1 that is a failure.
 */
export function describeWithKafka(title: string, body: () => void): void {
  if (namedBrokers() !== undefined) return describe(title, body);
  const why = whyNot();
  if (why === undefined) {
    return describe(title, () => {
      // Fetching the broker, once on a machine, takes longer than a test's set-up may.
      beforeAll(() => ask('kafka/jars'), 11 * 60_000);
      body();
    });
  }
  if (process.env.NODELEDGER_REQUIRE_KAFKA === '1') throw new Error(`${title}: Kafka is required, and ${why}`);
  const list = process.env.NODELEDGER_TEST_KAFKA_SKIPS;
  if (list !== undefined) appendFileSync(list, `${title}\n`);
  describe.skip(title, body);
}

/** A topic name that no other test has. */
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
