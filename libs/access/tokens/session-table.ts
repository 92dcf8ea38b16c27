import { type Database, statement } from '#database';
import { timeOf } from '../time-of';
import type { TokenCache } from './token-cache';
import { hashOf, newSecret } from './token-secret';
import type { Token } from './token-table';

/** A working day and a half. */
const lifeHours = 12;
/** Most sessions of a token. If a token has that many, a further sign-in ends its oldest session. */
const mostOfToken = 50;

/** `nodeledger.sessions`: browsers that have exchanged a token for a cookie. */
export class SessionTable {
  /** Processes with other caches notice within seconds that a session has begun or ended. */
  constructor(
    private readonly db: Database,
    private readonly cache: Pick<TokenCache, 'add' | 'forget'>,
  ) {}

  /**
   * Creates a session of a token, and deletes the expired sessions. Returns the secret of the new session, which is not
   * stored and cannot be shown again.
   */
  async create(token: Token): Promise<string> {
    const secret = newSecret('session');
    const hash = hashOf(secret, 'session')!;
    const [made] = await this.db.query<{ expires: string }>(statement`
      WITH ended AS (DELETE FROM nodeledger.sessions s WHERE s.expires <= now() OR s.hash IN (
        SELECT hash FROM nodeledger.sessions WHERE token = ${token.name} ORDER BY created DESC OFFSET ${mostOfToken - 1}))
      INSERT INTO nodeledger.sessions (hash, token, expires)
      VALUES (decode(${hash}, 'hex'), ${token.name}, now() + make_interval(hours => ${lifeHours}))
      RETURNING expires`);
    const expires = timeOf(made!.expires);
    this.cache.add({
      ...token,
      hash,
      expires: token.expires !== null && token.expires < expires ? token.expires : expires,
    });
    return secret;
  }

  async remove(secret: string): Promise<void> {
    const hash = hashOf(secret, 'session');
    if (hash === undefined) return;
    await this.db.query(statement`DELETE FROM nodeledger.sessions WHERE hash = decode(${hash}, 'hex')`);
    this.cache.forget(hash);
  }
}
