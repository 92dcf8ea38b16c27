#!/usr/bin/env node
import '#check-node';
import { isFault } from '#fault';
import { commandLine } from './command-line';
import { onLines } from './on-one-line';

async function main(): Promise<void> {
  const [first, second] = process.argv.slice(2);
  const wanted = first === 'help' ? second : first;
  // If the program that reads the output ends, every verb ends at once. Only `start` continues, because the service
  // must stop cleanly.
  if (wanted !== 'start') process.stdout.on('error', endWithReader);
  await (await commandLine((verb) => verb === wanted)).parseAsync();
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);

const closedPipe = 141;

function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(closedPipe);
  throw error;
}

main().catch((error: unknown) => {
  const text = isFault(error) ? [error.message, error.hint].filter(Boolean).join('\n') : messageOf(error);
  // Removes control characters, because the message can quote text from a service or a file.
  process.stderr.write(`nodeledger: ${onLines(text)}\n`);
  process.exitCode = 1;
});
