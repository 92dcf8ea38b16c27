import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { Database } from './database';
import { databaseIdentity } from './database-identity';
import { tryWithLock } from './try-with-lock';

let fresh: FreshDatabase;
let one: Database;
let other: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  [one, other] = [1, 2].map(() => new Database({ connectionString: fresh.connectionString, max: 2 })) as [
    Database,
    Database,
  ];
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await fresh.drop();
});

test('one of two does it; work of another name is not in its way; afterwards it is free', async () => {
  const inner = await tryWithLock(one, 'work', async () => ({
    same: await tryWithLock(other, 'work', () => Promise.resolve('done')),
    different: await tryWithLock(other, 'other work', () => Promise.resolve('done')),
  }));
  expect(inner).toEqual({ same: undefined, different: 'done' });
  expect(await tryWithLock(other, 'work', () => Promise.resolve('done'))).toBe('done');
});

test('work that fails frees it too', async () => {
  await expect(tryWithLock(one, 'work', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await tryWithLock(other, 'work', () => Promise.resolve('done'))).toBe('done');
});

test('a database is the same by every connection, and no other is', async () => {
  const second = await freshDatabase();
  const elsewhere = new Database({ connectionString: second.connectionString, max: 1 });
  try {
    expect(await databaseIdentity(one)).toMatch(/^\d+-\d+$/);
    expect(await databaseIdentity(other)).toBe(await databaseIdentity(one));
    expect(await databaseIdentity(elsewhere)).not.toBe(await databaseIdentity(one));
  } finally {
    await elsewhere.close();
    await second.drop();
  }
});
