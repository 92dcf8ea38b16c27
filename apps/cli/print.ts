import { plainJson } from './on-one-line';
import { isStartedByService } from './started-by-service';

/** Prints `text` if people read the output. Prints `value` as JSON if a program reads the output or with --json. */
export function print(value: object, { json }: { readonly json?: true }, text: () => string): void {
  const isForPeople = process.stdout.isTTY || isStartedByService();
  process.stdout.write(json || !isForPeople ? `${plainJson(JSON.stringify(value, null, 2))}\n` : text());
}
