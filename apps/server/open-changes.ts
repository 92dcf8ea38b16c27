import { ChangeReader, type LiveChanges, OpenStreams } from '#changes';
import type { Settings } from '#config';
import { Database } from '#database';
import type { Log } from '#observe';
import type { StreamMeters } from './metrics/stream-meters';
import type { Outages } from './outages';
import { ownPools } from './own-pools';
import type { Undo } from './undo';

const timeoutMs = 10_000;

interface ChangesParts {
  readonly connectionString: string;
  readonly meters: StreamMeters;
  readonly outages: Pick<Outages, 'report'>;
  readonly log: Log;
  readonly undo: Undo;
}

export async function openChanges(
  { limits }: Readonly<Settings>,
  { connectionString, meters, outages, log, undo }: ChangesParts,
): Promise<LiveChanges> {
  const db = new Database({
    connectionString,
    max: ownPools.changes,
    applicationName: 'nodeledger changes',
    statementTimeoutMs: timeoutMs,
    connectTimeoutMs: timeoutMs,
    idleTransactionTimeoutMs: timeoutMs,
    readOnly: true,
  });
  undo.add('the connections that read changes', () => db.close());
  const reader = new ChangeReader(db);
  undo.add('the reader of changes', () => reader.close());
  await reader.open();
  const streams = new OpenStreams({
    reader,
    limits,
    observer: {
      sent: (events) => meters.sent.add(events),
      cutOff: () => meters.cutOff.add(),
      failed: (err) => {
        if (outages.report(err) === undefined) log.error({ err }, 'changes could not be read; trying again');
      },
    },
  });
  return { reader, streams };
}
