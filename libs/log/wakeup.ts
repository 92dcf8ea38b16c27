export class Wakeup {
  private readonly sleepers = new Set<() => void>();

  notify(): void {
    const waking = [...this.sleepers];
    this.sleepers.clear();
    for (const wake of waking) wake();
  }

  /**
   * Before the call, the caller must check whether it has to wait. The check and the call must be in the same turn of
   * the event loop, because otherwise the caller can miss a `notify`.
   */
  async wait(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    if (signals.some((signal) => signal?.aborted === true)) return;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.sleepers.add(wake);
    for (const signal of signals) signal?.addEventListener('abort', wake, { once: true });
    await woken;
    this.sleepers.delete(wake);
    for (const signal of signals) signal?.removeEventListener('abort', wake);
  }
}
