import { Command } from 'commander';
import { type Verdict, verify } from '#projections';
import { amount, formatCount, formatRate } from './amounts';
import { countFrom } from './arguments';
import { differenceLines, differingRow } from './maintenance/difference-lines';
import { runMaintenance, withSettings } from './maintenance/run-maintenance';
import { print } from './print';

interface VerifyFlags {
  readonly most: number;
  readonly json?: true;
}

/** Exits with 1 if the read tables differ from the log. */
export function verifyCommand(): Command {
  return withSettings(new Command('verify'))
    .option('--most <rows>', 'largest number of differing rows to show', countFrom(0), 20)
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: VerifyFlags) => {
      const verdict = await runMaintenance(settings, { afterStop: 'Nothing was changed.' }, ({ context }) =>
        verify(context, { mostNamed: flags.most }),
      );
      if (verdict === undefined) return;
      const printed = { ...verdict, differences: verdict.differences.map(differingRow) };
      print(printed, flags, () => verdictLines(verdict));
      if (verdict.counted > 0) process.exitCode = 1;
    });
}

export function verdictLines(verdict: Verdict): string {
  const { differences, counted, rows, records, seconds } = verdict;
  const replayed = `${formatRate(records, seconds)} replayed, ${amount(rows, 'row')} compared\n`;
  if (counted === 0) return `${replayed}the read tables agree with the log\n`;
  const differ = `${formatCount(counted)} ${counted === 1 ? 'row differs' : 'rows differ'}; \`nodeledger rebuild --accept-differences\` rebuilds the tables from the log`;
  return `${differenceLines(verdict, differences.length)}${replayed}${differ}\n`;
}
