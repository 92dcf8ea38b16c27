import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { retryDelay } from '#fault';

type Handler = (payload: string) => void;

/**
 * Listens to notifications of PostgreSQL, and reconnects after a failure. Notifications during a reconnect are lost, so
 * the callers must also poll.
 */
export class Listener {
  private readonly handlers = new Map<string, Set<Handler>>();
  private client: Client | undefined;
  private connecting: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly config: ClientConfig) {}

  /** Resolves when the server listens to the channel. Calls `handler` until the returned function is called. */
  async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const known = this.handlers.get(channel);
    const handlers = known ?? new Set<Handler>();
    handlers.add(handler);
    if (known === undefined) this.handlers.set(channel, handlers);
    try {
      await this.connected();
      if (known === undefined) await this.client?.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      await this.drop(channel, handler);
      throw error;
    }
    return () => this.drop(channel, handler);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.handlers.clear();
    await this.connecting?.catch(() => undefined);
    await this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  private async drop(channel: string, handler: Handler): Promise<void> {
    const handlers = this.handlers.get(channel);
    if (handlers?.delete(handler) !== true || handlers.size > 0) return;
    this.handlers.delete(channel);
    await this.client?.query(`UNLISTEN ${escapeIdentifier(channel)}`).catch(() => undefined);
  }

  private connected(): Promise<void> {
    if (this.client !== undefined) return Promise.resolve();
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async connect(): Promise<void> {
    const client = new Client(this.config);
    let ended = false;
    const onEnd = (): void => {
      if (ended) return;
      ended = true;
      if (this.client === client) this.client = undefined;
      if (!this.closed && this.client === undefined) void this.reconnect();
    };
    // Until the connection is established, `connect` reports its errors to the caller.
    client.on('error', () => {
      if (this.client === client) onEnd();
    });
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of [...(this.handlers.get(channel) ?? [])]) handler(payload);
    });
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      // Closes the connection. A standby accepts a connection but refuses LISTEN, so each attempt would otherwise leave
      // a connection open.
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.closed) return client.end();
    this.client = client;
    client.on('end', onEnd);
  }

  private async reconnect(): Promise<void> {
    for (let failures = 1; !this.closed; failures++) {
      await delay(retryDelay(failures, { firstMs: 100, longestMs: 5_000 }), undefined, { ref: false });
      if (this.closed || this.handlers.size === 0) return;
      try {
        return await this.connected();
      } catch {
        continue;
      }
    }
  }
}
