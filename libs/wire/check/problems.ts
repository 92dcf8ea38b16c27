import { excerpt, Fault } from '#fault';

export interface Problem {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

export class Problems {
  private readonly list: Problem[] = [];
  /** Number of all problems. Only the first `most` of them are in the list. */
  count = 0;

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

export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short.replaceAll('\0', '\uFFFD'));
}
