#!/usr/bin/env node
import '#check-node';
import { isFault } from '#fault';
import { commandLine } from './command-line';
import { onLines } from './on-one-line';

async function main(): Promise<void> {
  const [first, second] = process.argv.slice(2);
  const wanted = first === 'help' ? second : first;
  // A service stops cleanly when nobody reads its lines any more; other verbs have nothing to stop.
  if (wanted !== 'start' && wanted !== 'demo') process.stdout.on('error', endWithReader);
  await (await commandLine((verb) => verb === wanted)).parseAsync();
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);

const closedPipe = 141;

/** Whoever reads the output has seen enough, as `head` has: ends as other programs do. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(closedPipe);
  throw error;
}

main().catch((error: unknown) => {
  const text = isFault(error) ? [error.message, error.hint].filter(Boolean).join('\n') : messageOf(error);
  // It may say what a service or a file says.
  process.stderr.write(`nodeledger: ${onLines(text)}\n`);
  process.exitCode = 1;
});
