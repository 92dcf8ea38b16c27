import { Database } from '#database';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { until } from '../../test/support/until';
import { GroupMembership, joinGroup, membersOfGroup, shareOf } from './group-membership';

let fresh: FreshDatabase;
let db: Database;
const memberships: GroupMembership[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 8 });
});
afterEach(async () => {
  for (const one of memberships.splice(0)) await one.leave();
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

interface Member {
  readonly membership: GroupMembership;
  share: readonly number[];
}

async function join(group: string, partitions: number, database = db): Promise<Member> {
  const membership = new GroupMembership(database, group, partitions, (share) => (member.share = share));
  const member: Member = { membership, share: [] };
  memberships.push(membership);
  member.share = await membership.join();
  return member;
}

const backends = async (applicationName: string): Promise<number[]> =>
  (
    await db.query<{ pid: number }>({
      text: 'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      values: [applicationName],
    })
  ).map(({ pid }) => pid);
const sizes = (members: readonly Member[]): number[] => members.map(({ share }) => share.length).sort();
const all = (members: readonly Member[]): number[] => members.flatMap(({ share }) => share).sort((a, b) => a - b);

test('members take turns; who is no member has nothing', () => {
  expect([3, 9, 40].map((own) => shareOf([3, 9, 40], own, 8))).toEqual([
    [0, 3, 6],
    [1, 4, 7],
    [2, 5],
  ]);
  expect(shareOf([3, 9, 40], 9, 1)).toEqual([]);
  expect(shareOf([3, 9], 4, 8)).toEqual([]);
});

test('the partitions are divided again when a member joins, leaves or dies', async () => {
  const other = new Database({ connectionString: fresh.connectionString, max: 2, applicationName: 'dies' });
  try {
    const first = await join('one', 12);
    expect(first.share).toHaveLength(12);
    const second = await join('one', 12);
    const third = await join('one', 12, other);
    await until(() => String(sizes([first, second, third])) === '4,4,4', { what: 'three share' });
    expect(all([first, second, third])).toEqual(Array.from({ length: 12 }, (_, partition) => partition));

    await second.membership.leave();
    await until(() => String(sizes([first, third])) === '6,6', { what: 'two share' });
    expect(all([first, third])).toHaveLength(12);

    // Breaks the connection, as if the process had ended. This member does not join again.
    await third.membership.leave();
    const dead = await join('one', 12, other);
    await until(() => String(sizes([first, dead])) === '6,6', { what: 'two share' });
    const ended = await backends('dies');
    expect(ended).toHaveLength(1);
    await db.query({ text: 'SELECT pg_terminate_backend($1)', values: ended });
    // The member notices the broken connection at its next check, and joins again over a new connection.
    await until(async () => (await backends('dies')).some((pid) => !ended.includes(pid)), { what: 'it enters again' });
    await until(() => all([first, dead]).length === 12, { what: 'both share again' });
    await dead.membership.leave();
    await until(() => first.share.length === 12, { what: 'one has all' });
  } finally {
    await other.close();
  }
});

test('groups and databases do not count the members of others', async () => {
  const elsewhere = await freshDatabase();
  const other = new Database({ connectionString: elsewhere.connectionString, max: 2 });
  try {
    const members = [await join('a', 6), await join('b', 6), await join('a', 6, other)];
    for (const { membership } of members) expect(await membership.join()).toHaveLength(6);
    for (const one of memberships.splice(0)) await one.leave();
  } finally {
    await other.close();
    await elsewhere.drop();
  }
});

test('a member that no longer looks does not count for others, but it sees itself', async () => {
  const [frozen, active] = [await db.session(), await db.session()];
  try {
    await frozen.query(joinGroup('frozen', 7));
    await active.query(joinGroup('frozen', 8));
    const members = async (session: typeof active, silentMs: number): Promise<number[]> =>
      (await session.query<{ member: number }>(membersOfGroup('frozen', silentMs))).map(({ member }) => member);
    expect(await members(active, 60_000)).toEqual([7, 8]);
    await until(async () => String(await members(active, 300)) === '8', { what: 'the silence counts' });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await members(frozen, 300)).toEqual([7]);
    expect(await members(active, 300)).toEqual([7, 8]);
  } finally {
    frozen.close();
    active.close();
  }
});

test('a number is given once', async () => {
  const [one, two] = [await db.session(), await db.session()];
  try {
    expect(await one.query(joinGroup('numbers', 5))).toEqual([{ joined: true }]);
    expect(await two.query(joinGroup('numbers', 5))).toEqual([{ joined: false }]);
    expect(await two.query(joinGroup('other numbers', 5))).toEqual([{ joined: true }]);
  } finally {
    one.close();
    two.close();
  }
});
