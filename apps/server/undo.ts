/** Steps that undo what was opened, in the opposite order. */
export class Undo {
  private readonly steps: { readonly name: string; readonly close: () => Promise<void> }[] = [];

  /** Calls `failed` if a step fails, and continues with the other steps. */
  constructor(private readonly failed: (name: string, error: unknown) => void) {}

  add(name: string, close: () => Promise<void>): void {
    this.steps.push({ name, close });
  }

  /** Runs every step once, however often it is called. */
  async run(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        this.failed(step.name, error);
      }
    }
  }
}
