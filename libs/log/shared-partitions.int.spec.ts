import { Database, migrateControlTables } from '#database';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { until } from '../../test/support/until';
import { certnameOf, newRecord } from './testing/contract-records';
import { EmbeddedCommandLog } from './embedded/embedded-command-log';
import { PartitionFollower, type StartOf } from './partition-follower';

const partitions = 6;
const wide = { maxRecords: 1000, maxBytes: 64 << 20 };

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
});
afterAll(() => fresh.drop());

/**
 * Simulates the part of a projector that matters to the log: all projectors share positions, which move when records
 * are delivered.
 */
class Reading {
  readonly got: string[] = [];
  private readonly stopped = new AbortController();
  private readonly done: Promise<void>;

  constructor(
    private readonly follower: PartitionFollower,
    positions: Map<number, number>,
  ) {
    this.done = this.read(positions);
  }

  private async read(positions: Map<number, number>): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      for (const { partition, offset } of await this.follower.next(wide, signal)) {
        this.got.push(`${partition}:${offset}`);
        positions.set(partition, offset + 1);
      }
    }
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.done;
    await this.follower.close();
  }
}

test('each record goes to one follower; a partition that moves is read on from where it stands', async () => {
  const databases = [1, 2, 3].map(() => new Database({ connectionString: fresh.connectionString, max: 3 }));
  const logs = databases.map((one) => new EmbeddedCommandLog(one, { partitions }));
  for (const log of logs) await log.open();
  const [writer, ...others] = logs as [EmbeddedCommandLog, EmbeddedCommandLog, EmbeddedCommandLog];
  const positions = new Map<number, number>();
  const follow = (log: EmbeddedCommandLog): Reading => {
    const startOf: StartOf = (of) => Promise.resolve(new Map(of.map((one) => [one, positions.get(one) ?? 1])));
    const db = databases[logs.indexOf(log)] as Database;
    return new Reading(new PartitionFollower({ log, db, group: 'group', partitions, startOf }), positions);
  };
  const appendToEach = async (): Promise<void> => {
    for (let partition = 0; partition < partitions; partition++) {
      await writer.append(newRecord(certnameOf(partition, partitions)));
    }
  };
  const readings: Reading[] = [];
  const got = (): string[] => readings.flatMap((one) => one.got);
  let appended = 0;
  const append = async (): Promise<void> => {
    await appendToEach();
    appended += partitions;
    await until(() => new Set(got()).size === appended, { what: `${appended} records were read` });
  };
  const shares = (): number[] =>
    readings.map(({ got: records }) => new Set(records.slice(-partitions).map((at) => at.split(':')[0])).size);
  try {
    readings.push(follow(others[0]));
    await append();
    readings.push(follow(others[1]));
    // Until both members have their shares, both may get the same record.
    await until(
      async () => {
        const before = got().length;
        await append();
        return readings.every(({ got: records }) => records.length > 0) && got().length === before + partitions;
      },
      { what: 'both read' },
    );
    const before = readings.map((one) => one.got.length);
    await append();
    await append();
    expect(readings.map((one, index) => one.got.length - (before[index] as number))).toEqual([partitions, partitions]);
    expect(shares()).toEqual([3, 3]);

    await readings[0]?.stop();
    const last = readings[1] as Reading;
    const then = got().length;
    await append();
    expect(got().length).toBe(then + partitions);
    expect(new Set(last.got.slice(-partitions).map((at) => at.split(':')[0])).size).toBe(partitions);
  } finally {
    for (const one of readings) await one.stop();
    for (const log of logs) await log.close();
    for (const one of databases) await one.close();
  }
});
