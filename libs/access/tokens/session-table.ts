import { type Database, statement } from '#database';
import { timeOf } from '../time-of';
import type { TokenCache } from './token-cache';
import { hashOf, newSecret } from './token-secret';
import type { Token } from './token-table';

const lifeHours = 12;
/** Largest number of sessions of one token. A further sign-in with the token ends the oldest session. */
const mostOfToken = 50;

/** The table `nodeledger.sessions` has a row for each browser that has exchanged a token for a cookie. */
export class SessionTable {
  /** `cache` is the cache of this process. Other processes read the table every few seconds. */
  constructor(
    private readonly db: Database,
    private readonly cache: Pick<TokenCache, 'add' | 'forget'>,
  ) {}

  /**
   * Returns the secret of the new session. Stores only its hash, so the secret cannot be shown again. Also deletes
   * expired sessions.
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
