import { createInterface } from 'node:readline/promises';
import { Fault } from '#fault';

interface Confirmation {
  readonly question: string;
  /** Text that names the change in the error message, such as `nodes are deactivated`. */
  readonly change: string;
  readonly yes?: true | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Returns whether the user wants the change. Asks on the terminal if `yes` is not set. If the user refuses, prints that
 * nothing was changed and sets the exit code to 1. Throws `cli.unconfirmed` if there is no terminal.
 */
export async function confirmChange({ question, change, yes, signal }: Confirmation): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new Fault('conflict', 'cli.unconfirmed', `${change} only after confirmation`, {
      hint: 'Give --yes. Nothing was changed.',
    });
  }
  if (await askToConfirm(question, signal)) return true;
  process.stderr.write('Nothing was changed.\n');
  process.exitCode = 1;
  return false;
}

/** Returns false on Ctrl-C and at the end of the input. Throws if `signal` is aborted. */
async function askToConfirm(question: string, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `, { signal }), ended]);
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
