const echoMs = 500;

/** The first Ctrl-C or SIGTERM stops the work after the current batch; the second one ends the process. */
export class Interruption {
  private readonly stopping = new AbortController();
  private requestedAt = 0;
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    // One Ctrl-C can arrive twice: from the terminal, and from the parent process (npm).
    if (this.requestedAt > 0 && Date.now() - this.requestedAt < echoMs) return;
    if (this.requestedAt > 0) process.exit(130);
    this.requestedAt = Date.now();
    this.say(`${signal}: stopping after the current batch; send the signal again to stop at once`);
    this.stopping.abort();
  };

  constructor(private readonly say: (text: string) => void) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.onSignal);
  }

  /** Whether the user asked to stop, in contrast to `abort`. */
  get isRequested(): boolean {
    return this.requestedAt > 0;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  abort(): void {
    this.stopping.abort();
  }

  end(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, this.onSignal);
  }
}
