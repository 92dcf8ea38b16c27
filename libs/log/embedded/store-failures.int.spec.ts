import { Database, migrateControlTables } from '#database';
import { freshDatabase } from '../../../test/support/postgres';
import { newRecord } from '../testing/contract-records';
import { EmbeddedCommandLog } from './embedded-command-log';

describe('an append that the database refuses', () => {
  it('is to be sent again later where the server is read-only, as one that is not the primary', async () => {
    const fresh = await freshDatabase();
    const { connectionString } = fresh;
    await migrateControlTables(connectionString);
    const [writing, reading] = [
      new Database({ connectionString, max: 2 }),
      new Database({ connectionString, max: 2, readOnly: true }),
    ];
    const made = new EmbeddedCommandLog(writing, { partitions: 2 });
    const log = new EmbeddedCommandLog(reading, { partitions: 2 });
    try {
      await made.open();
      await log.open();
      const appends = await Promise.allSettled([log.append(newRecord('a')), log.append(newRecord('b'))]);
      const busy = { status: 'rejected', reason: { kind: 'busy', code: 'log.unavailable' } };
      expect(appends).toMatchObject([busy, busy]);
      expect([...(await made.ends()).values()]).toEqual([1, 1]);
    } finally {
      await Promise.all([made.close(), log.close()]);
      await Promise.all([writing.close(), reading.close()]);
      await fresh.drop();
    }
  });
});
