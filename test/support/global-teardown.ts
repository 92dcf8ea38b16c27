import { readFileSync } from 'node:fs';

export default async function teardown(): Promise<void> {
  tellSkipped();
  await (globalThis as { stopTestServers?: () => Promise<void> }).stopTestServers?.();
}

/** Prints one line for the run, because a skipped suite is easily mistaken for a passed one. */
function tellSkipped(): void {
  const list = process.env.NODELEDGER_TEST_KAFKA_SKIPS;
  if (list === undefined) return;
  let suites: number;
  try {
    suites = readFileSync(list, 'utf8').trimEnd().split('\n').length;
  } catch {
    return;
  }
  process.stderr.write(`\nKafka suites skipped (${suites}): ${process.env.NODELEDGER_TEST_KAFKA_MISSING}\n`);
}
