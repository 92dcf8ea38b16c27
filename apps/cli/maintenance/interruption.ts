const echoMs = 500;

/** Ctrl-C or a termination asks the work to end after the current batch; the second time ends the process. */
export class Interruption {
  private readonly stopping = new AbortController();
  private askedAt = 0;
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    // One Ctrl-C can come twice: from the terminal, and passed on by what started us (npm).
    if (this.askedAt > 0 && Date.now() - this.askedAt < echoMs) return;
    if (this.askedAt > 0) process.exit(130);
    this.askedAt = Date.now();
    this.say(`${signal}: stops after the current batch; send it again to stop at once`);
    this.stopping.abort();
  };

  constructor(private readonly say: (text: string) => void) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.onSignal);
  }

  /** Whether a person asked, not `abort`. */
  get asked(): boolean {
    return this.askedAt > 0;
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
