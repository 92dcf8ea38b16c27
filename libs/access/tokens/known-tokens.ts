import { setTimeout as delay } from 'node:timers/promises';
import type { HashedToken, Token, TokenTable } from './token-table';
import { hashOf } from './token-secret';

/** How long a token that was revoked elsewhere may still be accepted. */
const refreshMs = 2_000;
/** The earliest time after a look at the table for the next one that an unknown token causes. */
const leastPauseMs = 500;
const markUsedMs = 60_000;

export interface KnownTokensOptions {
  readonly table: TokenTable;
  /** Told about a failed look at the table. What was known stays in use. */
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * The tokens in memory, so that no request waits for the database. A token that is not known causes one look at the table
 * at most twice a second, which all such requests share; so a new token works at once.
 */
export class KnownTokens {
  private tokens = new Map<string, HashedToken>();
  private looking: Promise<void> | undefined;
  private again: Promise<void> | undefined;
  private lookedAt = -Infinity;
  private readonly used = new Map<string, Date>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly now: () => number;

  constructor(private readonly options: KnownTokensOptions) {
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

  /** The token of this secret where it is valid; else why it is not. */
  async find(secret: string): Promise<Token | 'unknown' | 'expired' | 'revoked'> {
    const hash = hashOf(secret);
    if (hash === undefined) return 'unknown';
    if (!this.tokens.has(hash)) await this.lookAgain();
    const token = this.tokens.get(hash);
    if (token === undefined) return 'unknown';
    if (token.revoked !== null) return 'revoked';
    const now = this.now();
    if (token.expires !== null && token.expires.getTime() <= now) return 'expired';
    this.used.set(token.name, new Date(now));
    return token;
  }

  /** A look that begins after this call. */
  private lookAgain(): Promise<void> {
    this.again ??= (async () => {
      await this.looking;
      await delay(Math.max(0, this.lookedAt + leastPauseMs - this.now()));
      this.again = undefined;
      await this.look();
    })();
    return this.again;
  }

  private look(): Promise<void> {
    this.looking ??= this.options.table
      .list()
      .then((tokens) => {
        this.tokens = new Map(tokens.map((token) => [token.hash, token]));
      })
      .catch(this.options.onFailure)
      .finally(() => {
        this.lookedAt = this.now();
        this.looking = undefined;
      });
    return this.looking;
  }

  private async markUsed(): Promise<void> {
    const used = new Map(this.used);
    this.used.clear();
    await this.options.table.markUsed(used).catch(this.options.onFailure);
  }
}
