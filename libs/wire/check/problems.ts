import { excerpt, Fault } from '#fault';

export interface Problem {
  /** Path of the value, such as `resources[3].title`. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Collects the problems of one document, so that one fault can list the first `most` problems. */
export class Problems {
  private readonly list: Problem[] = [];
  /** Number of all problems, including those after the first `most`. */
  count = 0;

  /** `what` is the command and version of the document. */
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

  /** Throws the fault `wire.shape` if the document has problems. `details` contains the problems. */
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

/** Quotes a text of a document for a message. Shortens the text to 80 characters. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short.replaceAll('\0', '\uFFFD'));
}
