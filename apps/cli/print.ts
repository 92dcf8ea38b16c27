import { plainJson } from './on-one-line';

/** Prints the text that `text` returns if the output is a terminal, and `value` as JSON otherwise or with --json. */
export function print(value: object, { json }: { readonly json?: true }, text: () => string): void {
  process.stdout.write(json || !process.stdout.isTTY ? `${plainJson(JSON.stringify(value, null, 2))}\n` : text());
}
