import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isFault } from '#fault';
import { readAgentReport, type Problem } from '#wire';

export interface Verdict {
  readonly valid: boolean;
  readonly certname?: string;
  readonly problems: readonly Problem[];
}

/** Returns the faults in the document as problems, and throws other errors. */
export function checkReport(bytes: Buffer): Verdict {
  try {
    return { valid: true, certname: readAgentReport(bytes, Date.now()).certname, problems: [] };
  } catch (error) {
    if (!isFault(error) || error.kind !== 'malformed') throw error;
    const problems =
      error.code === 'wire.shape'
        ? (error.details as readonly Problem[])
        : [{ path: 'the document', expected: 'a JSON document', found: error.message }];
    return { valid: false, problems };
  }
}

/** Replaces control characters, because texts from the document can contain them. */
export function verdictLines({ valid, certname, problems }: Verdict): string {
  const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
  if (valid) return `valid: a report of ${plain(certname ?? '')}\n`;
  const lines = problems.map(({ path, expected, found }) => plain(`${path}: expected ${expected}, found ${found}`));
  return `${lines.join('\n')}\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}\n`;
}

export function checkCommand(): Command {
  const report = new Command('report')
    .description('check a report as an agent writes it (format 9)')
    .argument('<file>', 'the document, JSON')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const verdict = checkReport(await readFile(file));
      process.stdout.write(json ? `${JSON.stringify(verdict, null, 2)}\n` : verdictLines(verdict));
      if (!verdict.valid) process.exitCode = 1;
    });
  return new Command('check').addCommand(report);
}
