#!/usr/bin/env node
import '#check-node';
import { isFault } from '#fault';
import { commandLine } from './command-line';
import { onLines } from './on-one-line';

async function main(): Promise<void> {
  const [first, second] = process.argv.slice(2);
  const wanted = first === 'help' ? second : first;
  // All verbs except `start` end at once when the reader of their output ends. The service must stop cleanly instead.
  if (wanted !== 'start') process.stdout.on('error', endWithReader);
  await (await commandLine((verb) => verb === wanted)).parseAsync();
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);

const closedPipe = 141;

/** Ends the process when the reader of its output has ended, for example `head`. Other programs do so, too. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(closedPipe);
  throw error;
}

main().catch((error: unknown) => {
  const text = isFault(error) ? [error.message, error.hint].filter(Boolean).join('\n') : messageOf(error);
  // The message may quote text of a service or a file, so its control characters are removed.
  process.stderr.write(`nodeledger: ${onLines(text)}\n`);
  process.exitCode = 1;
});
