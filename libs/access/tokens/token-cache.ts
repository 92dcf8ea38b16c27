import { setTimeout as delay } from 'node:timers/promises';
import { Fault, withTimeout } from '#fault';
import type { HashedToken, Token, TokenTable } from './token-table';
import { hashOf, type SecretKind } from './token-secret';

/** Interval between two reads of the table. Other processes can accept a revoked token for this time. */
const refreshMs = 2_000;
/** Shortest time between two reads that unknown tokens cause. */
const leastPauseMs = 500;
const longestWaitMs = 2_000;
const retrySeconds = 2;
const markUsedMs = 60_000;

interface TokenCacheOptions {
  readonly table: TokenTable;
  /** The cached tokens stay in use after a failure. */
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => number;
}

type Look = 'done' | { readonly failure: unknown };

/**
 * Caches all tokens and sessions, so that requests do not wait for the database. An unknown token causes a read of the
 * table, so that a new token works at once. These reads happen at most twice a second for all requests together.
 */
export class TokenCache {
  private tokens = new Map<string, HashedToken>();
  private looking: Promise<Look> | undefined;
  private again: Promise<Look> | undefined;
  private lookedAt = -Infinity;
  private readonly used = new Map<string, Date>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly now: () => number;

  constructor(private readonly options: TokenCacheOptions) {
    this.now = options.now ?? Date.now;
  }

  async open(): Promise<void> {
    await this.look();
    this.timers.push(
      setInterval(() => void this.look(), refreshMs),
      setInterval(() => void this.markUsed(), markUsedMs),
    );
    this.timers.forEach((timer) => timer.unref());
  }

  async close(): Promise<void> {
    this.timers.splice(0).forEach(clearInterval);
    await this.looking;
    await this.markUsed();
  }

  /**
   * Returns the token, or the reason why the secret is invalid. Throws `access.unchecked` (503) if the cache does not
   * contain the token and the table cannot be read.
   */
  async find(secret: string, kind: SecretKind = 'token'): Promise<Token | 'unknown' | 'expired' | 'revoked'> {
    const hash = hashOf(secret, kind);
    if (hash === undefined) return 'unknown';
    const look = this.tokens.has(hash) ? 'done' : await withTimeout(this.lookAgain(), longestWaitMs);
    const token = this.tokens.get(hash);
    if (token === undefined) {
      if (look === 'done') return 'unknown';
      throw unchecked(look?.failure);
    }
    if (token.revoked !== null) return 'revoked';
    const now = this.now();
    if (token.expires !== null && token.expires.getTime() <= now) return 'expired';
    this.used.set(token.name, new Date(now));
    return token;
  }

  add(token: HashedToken): void {
    this.tokens.set(token.hash, token);
  }

  forget(hash: string): void {
    this.tokens.delete(hash);
  }

  /** Returns the result of a read that begins after this call. */
  private lookAgain(): Promise<Look> {
    this.again ??= (async () => {
      await this.looking;
      await delay(Math.max(0, this.lookedAt + leastPauseMs - this.now()));
      this.again = undefined;
      return this.look();
    })();
    return this.again;
  }

  private look(): Promise<Look> {
    this.looking ??= this.read()
      .then((tokens) => {
        this.tokens = new Map(tokens.map((token) => [token.hash, token]));
        return 'done' as const;
      })
      .catch((failure: unknown) => {
        this.options.onFailure(failure);
        return { failure };
      })
      .finally(() => {
        this.lookedAt = this.now();
        this.looking = undefined;
      });
    return this.looking;
  }

  private async read(): Promise<readonly HashedToken[]> {
    const { table } = this.options;
    return [...(await table.list()), ...(await table.listSessions())];
  }

  private async markUsed(): Promise<void> {
    const used = new Map(this.used);
    this.used.clear();
    await this.options.table.markUsed(used).catch(this.options.onFailure);
  }
}

const unchecked = (cause: unknown): Fault =>
  new Fault('busy', 'access.unchecked', 'The token of this request cannot be checked: the database does not answer.', {
    hint: 'Send the request again a little later. Tokens that this process has seen before continue to work.',
    details: { retryAfterSeconds: retrySeconds, form: 'text' },
    cause,
  });
