import { excerpt, Fault } from '#fault';

/** One thing that a document has wrong. */
export interface Problem {
  /** Where: `resources[3].title`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Collects what is wrong with one document, so that all of it is told at once (the first `most`). */
export class Problems {
  private readonly list: Problem[] = [];
  /** How many there are, the untold included. */
  count = 0;

  /** `what`: the command and version that the document claims to be. */
  constructor(
    private readonly what: string,
    private readonly most = 20,
  ) {}

  add(path: string, expected: string, found: string): void {
    this.count++;
    if (this.list.length < this.most) this.list.push({ path: excerpt(path), expected, found: excerpt(found) });
  }

  get any(): boolean {
    return this.count > 0;
  }

  /** Fault `wire.shape` if there is any; `details` are the problems. */
  throwIfAny(): void {
    if (this.count === 0) return;
    const named = this.list
      .slice(0, 3)
      .map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`);
    const rest = this.count - named.length;
    const message = `${this.what} breaks its format: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
    throw new Fault('malformed', 'wire.shape', message, { details: this.list });
  }
}

/** A text from a document, short enough for a message. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short.replaceAll('\0', '\uFFFD'));
}
