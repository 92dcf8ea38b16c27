import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '#fault';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. If this process runs as root, PostgreSQL runs as the first of these users that
 * exists.
 */
const candidates = ['postgres', 'nobody'];

/**
 * Returns the user that must run PostgreSQL, or undefined if the user of this process can run PostgreSQL. Throws
 * `database.no-account`.
 */
export async function databaseAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  for (const name of candidates) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid > 0) return account;
  }
  throw new Fault(
    'broken',
    'database.no-account',
    `PostgreSQL cannot run as root, and there is no user ${candidates.join(' or ')} to run it as`,
    { hint: 'Start the service as an ordinary user, or create a user named postgres, or set DATABASE_URL.' },
  );
}

export function parseAccounts(passwd: string): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || uid === undefined || gid === undefined || !/^\d+$/.test(uid) || !/^\d+$/.test(gid))
      continue;
    accounts.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** Returns whether the file mode allows an access. Ignores access control lists. */
async function allows(path: string, { uid, gid }: Account, bit: 4 | 1): Promise<boolean> {
  const found = await stat(path);
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & bit) !== 0;
}

export async function canEnter(folder: string, account: Account): Promise<boolean> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    if (!(await allows(at, account, 1))) return false;
    if (at === dirname(at)) return true;
  }
}

export const canRead = async (path: string, account: Account): Promise<boolean> =>
  (await canEnter(dirname(path), account)) && (await allows(path, account, 4));
