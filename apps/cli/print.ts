import { plainJson } from './on-one-line';

/** Prints text for people on a terminal, and JSON for programs. */
export function print(value: object, { json }: { readonly json?: true }, text: () => string): void {
  process.stdout.write(json || !process.stdout.isTTY ? `${plainJson(JSON.stringify(value, null, 2))}\n` : text());
}
