import { Fault } from '#fault';
import type { Limits } from '#limits';

/** Limits the number of imports at the same time in this process. */
export class ImportSlots {
  private taken = 0;

  constructor(private readonly limits: Limits) {}

  /** Runs the work in a slot. Fault: `import.busy` if no slot is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const most = this.limits.imports;
    if (this.taken >= most) {
      throw new Fault(
        'busy',
        'import.busy',
        `As many archives are being imported as may be at the same time (${most}).`,
        {
          hint: 'Repeat the import when another one has ended.',
          details: { retryAfterSeconds: 60 },
        },
      );
    }
    this.taken += 1;
    try {
      return await work();
    } finally {
      this.taken -= 1;
    }
  }
}
