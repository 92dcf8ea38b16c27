/** Collects steps that close the parts of a start, and runs the steps in reverse order. */
export class Undo {
  private readonly steps: { readonly name: string; readonly close: () => Promise<void> }[] = [];

  /** `failed` is called with each error of a step. The other steps still run. */
  constructor(private readonly failed: (name: string, error: unknown) => void) {}

  add(name: string, close: () => Promise<void>): void {
    this.steps.push({ name, close });
  }

  /** Runs each step once, even if `run` is called several times. */
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
