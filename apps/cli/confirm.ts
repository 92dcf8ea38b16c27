import { createInterface } from 'node:readline/promises';

/** Asks whoever sits at the terminal. An input that ends, and Ctrl-C, are a no; an abort is thrown. */
export async function askToConfirm(
  question: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(`${question} (yes/no) `, { signal }), ended]);
    if (answer === undefined) process.stderr.write('\n');
    return /^y(es)?$/i.test((answer ?? '').trim());
  } catch (error) {
    if (signal.aborted) throw error;
    process.stderr.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}
