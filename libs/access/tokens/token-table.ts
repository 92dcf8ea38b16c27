import { type Database, statement } from '#database';
import { Fault } from '#fault';
import type { Role } from '../role';
import { timeOf, timeOrNull } from '../time-of';
import { hashOf, newSecret } from './token-secret';

export interface Token {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly created: Date;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  /** Exact to the minute. Null if the token was never used. */
  readonly lastUsed: Date | null;
}

export interface HashedToken extends Token {
  readonly hash: string;
}

type Times = 'created' | 'expires' | 'revoked' | 'lastUsed';
type StoredToken = Omit<HashedToken, Times> &
  Readonly<Record<'created', string> & Record<Exclude<Times, 'created'>, string | null>>;

const withTimes = (row: StoredToken): HashedToken => ({
  ...row,
  created: timeOf(row.created),
  expires: timeOrNull(row.expires),
  revoked: timeOrNull(row.revoked),
  lastUsed: timeOrNull(row.lastUsed),
});

interface NewToken {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly expires: Date | undefined;
}

/** The number is limited because every process caches all tokens. */
const mostTokens = 10_000;
const longestName = 100;

export class TokenTable {
  constructor(private readonly db: Database) {}

  /**
   * Returns the secret of the new token. Stores only its hash, so the secret cannot be shown again. Throws
   * `token.name`, `token.exists` or `token.too-many`.
   */
  async create({ name, roles, expires }: NewToken): Promise<string> {
    if (name.trim() === '' || name.length > longestName || /[\u0000-\u001f\u007f-\u009f]/.test(name)) {
      throw new Fault('malformed', 'token.name', `the name of a token has 1 to ${longestName} printable characters`);
    }
    const secret = newSecret();
    const made = await this.db.query<{ total: string }>(statement`
      INSERT INTO nodeledger.tokens (name, hash, roles, expires)
      SELECT ${name}, decode(${hashOf(secret)}, 'hex'), ${[...roles]}::text[], ${expires ?? null}::timestamptz
      WHERE (SELECT count(*) FROM nodeledger.tokens) < ${mostTokens}
      ON CONFLICT (name) DO NOTHING
      RETURNING name`);
    if (made.length > 0) return secret;
    const [same] = await this.db.query(statement`SELECT FROM nodeledger.tokens WHERE name = ${name}`);
    if (same !== undefined) {
      throw new Fault('conflict', 'token.exists', `there is a token ${name} already`, {
        hint: 'Choose another name, or revoke that token with --delete first.',
      });
    }
    throw new Fault('conflict', 'token.too-many', `there are ${mostTokens} tokens, which is the most`, {
      hint: 'Delete tokens that nobody needs: nodeledger token revoke NAME --delete.',
    });
  }

  async list(): Promise<HashedToken[]> {
    const rows = await this.db.query<StoredToken>(statement`
      SELECT name, encode(hash, 'hex') AS hash, roles, created, expires, revoked, last_used AS "lastUsed"
      FROM nodeledger.tokens ORDER BY name`);
    return rows.map(withTimes);
  }

  /** Each session is returned as its token, but with the hash and the expiry of the session. */
  async listSessions(): Promise<HashedToken[]> {
    const rows = await this.db.query<StoredToken>(statement`
      SELECT t.name, encode(s.hash, 'hex') AS hash, t.roles, s.created, least(s.expires, t.expires) AS expires, t.revoked,
        t.last_used AS "lastUsed"
      FROM nodeledger.sessions s JOIN nodeledger.tokens t ON t.name = s.token WHERE s.expires > now()`);
    return rows.map(withTimes);
  }

  /** Keeps the row as a record of past access, or deletes the row if `remove` is true. Throws `token.missing`. */
  async revoke(name: string, { remove }: { readonly remove: boolean }): Promise<void> {
    const found = await this.db.query(
      remove
        ? statement`DELETE FROM nodeledger.tokens WHERE name = ${name} RETURNING name`
        : statement`UPDATE nodeledger.tokens SET revoked = coalesce(revoked, now()) WHERE name = ${name} RETURNING name`,
    );
    if (found.length > 0) return;
    throw new Fault('missing', 'token.missing', `there is no token ${name}`, {
      hint: '`nodeledger token list` shows the names.',
    });
  }

  async markUsed(used: ReadonlyMap<string, Date>): Promise<void> {
    if (used.size === 0) return;
    await this.db.query(statement`
      UPDATE nodeledger.tokens t SET last_used = greatest(t.last_used, u.at)
      FROM unnest(${[...used.keys()]}::text[], ${[...used.values()]}::timestamptz[]) AS u (name, at)
      WHERE t.name = u.name`);
  }
}
