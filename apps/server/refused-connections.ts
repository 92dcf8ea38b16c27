import type { Log } from '#observe';

const quietMs = 60_000;

/** Anybody who reaches the port can cause refusals, so each reason is logged at most once a minute. */
export class RefusedConnections {
  private readonly quiet = new Map<string, { more: number; end: number }>();
  private readonly mostReasons = 100;

  constructor(private readonly log: Log) {}

  add(reason: string, address: string | undefined, now = Date.now()): void {
    const before = this.quiet.get(reason);
    if (before !== undefined && now < before.end) {
      before.more += 1;
      return;
    }
    // A reason can contain a name from a client's certificate, and clients can choose any name, so the number of
    // reasons is limited.
    if (before === undefined && this.quiet.size >= this.mostReasons) this.forget(now);
    if (before === undefined && this.quiet.size >= this.mostReasons) return;
    this.quiet.set(reason, { more: 0, end: now + quietMs });
    this.log.info(
      { address, reason, ...(before?.more ? { more: before.more } : {}) },
      'a client was not let in by TLS',
    );
  }

  private forget(now: number): void {
    for (const [reason, { end }] of this.quiet) if (now >= end) this.quiet.delete(reason);
  }
}
