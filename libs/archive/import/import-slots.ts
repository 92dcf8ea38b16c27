import { Fault } from '#fault';
import { type Limits, limitTable } from '#limits';

/** How many archives are imported at the same time in this process. */
export class ImportSlots {
  private taken = 0;

  constructor(private readonly limits: Limits) {}

  /** Does the work in a slot. Fault: `import.busy` where none is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const most = this.limits.imports;
    if (this.taken >= most) {
      throw new Fault(
        'busy',
        'import.busy',
        `As many archives are being imported as may be at the same time (${most}).`,
        {
          hint: `Repeat the import when another one has ended. The setting ${limitTable.imports.key} changes the number.`,
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
