/** Closes everything that the start of the service has opened, in reverse order. */
export class Undo {
  private readonly steps: { readonly name: string; readonly close: () => Promise<void> }[] = [];

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
