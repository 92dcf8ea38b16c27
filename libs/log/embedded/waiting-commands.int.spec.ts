import { Database, migrateControlTables } from '#database';
import { freshDatabase } from '../../../test/support/postgres';
import { newRecord } from '../testing/contract-records';
import { EmbeddedCommandLog } from './embedded-command-log';
import { countWaitingCommands } from './waiting-commands';

test('counts the records at and after an offset of each partition, by command and version', async () => {
  const fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  const db = new Database({ connectionString: fresh.connectionString, max: 3 });
  const log = new EmbeddedCommandLog(db, { partitions: 3 });
  try {
    await log.open();
    const append = (certname: string, command: string, version: number) =>
      log.append(newRecord(certname, { command, version }));
    const [first] = [await append('a', 'store report', 8), await append('a', 'store report', 8)];
    await append('a', 'replace facts', 5);
    await append('b', 'replace facts', 4);
    const ends = await log.ends();
    const begin = new Map([...ends.keys()].map((partition) => [partition, 1]));
    expect(await countWaitingCommands(db, begin)).toEqual(
      new Map([
        ['store report 8', 2],
        ['replace facts 5', 1],
        ['replace facts 4', 1],
      ]),
    );
    const later = new Map(begin).set(first.partition, first.offset + 1);
    expect((await countWaitingCommands(db, later)).get('store report 8')).toBe(1);
    expect((await countWaitingCommands(db, ends)).size).toBe(0);
    expect((await countWaitingCommands(db, new Map())).size).toBe(0);
  } finally {
    await log.close();
    await db.close();
    await fresh.drop();
  }
});
