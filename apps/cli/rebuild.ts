import { Command, Option } from 'commander';
import { Fault, isFault } from '#fault';
import { dropOthers, rebuild, rollback, type Comparison, type RebuildOutcome } from '#projections';
import { amount, formatCount, formatRate } from './amounts';
import { differenceLines, differingRow } from './maintenance/difference-lines';
import { readPositions } from './maintenance/positions';
import { runMaintenance, withSettings } from './maintenance/run-maintenance';
import { print } from './print';

interface RebuildFlags {
  readonly resume?: true;
  readonly restart?: true;
  readonly dryRun?: true;
  readonly acceptDifferences?: true;
  readonly toPosition?: Map<number, number>;
  readonly rollback?: true;
  readonly dropPrevious?: true;
  readonly json?: true;
}

const filling = ['resume', 'restart', 'dryRun', 'acceptDifferences', 'toPosition'];
const mostShown = 20;

export function rebuildCommand(): Command {
  return withSettings(new Command('rebuild'))
    .addOption(new Option('--resume', 'resume an unfinished rebuild').conflicts('restart'))
    .option('--restart', 'discard an unfinished rebuild, and start again')
    .addOption(
      new Option('--dry-run', 'replay and compare only; nothing is changed').conflicts([
        'resume',
        'restart',
        'toPosition',
      ]),
    )
    .option('--accept-differences', 'switch even if the new tables differ from the live ones')
    .addOption(
      new Option(
        '--to-position <places>',
        'build the tables from the records before these positions, such as 0-120,3-44',
      )
        .argParser(readPositions)
        .conflicts(['resume', 'restart', 'acceptDifferences']),
    )
    .addOption(
      new Option('--rollback', 'switch back to the tables that were live before the last switch').conflicts([
        ...filling,
        'dropPrevious',
      ]),
    )
    .addOption(new Option('--drop-previous', 'remove all read tables except the live ones').conflicts(filling))
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: RebuildFlags) => {
      if (flags.rollback) await goBack(settings, flags);
      else if (flags.dropPrevious) await dropPrevious(settings, flags);
      else await fill(settings, flags);
    });
}

async function fill(settings: readonly string[], flags: RebuildFlags): Promise<void> {
  const { resume, restart, dryRun, acceptDifferences, toPosition } = flags;
  const keeps = dryRun === undefined && toPosition === undefined;
  const outcome = await runMaintenance(
    settings,
    {
      afterStop: keeps
        ? 'The live tables are unchanged. Continue with `nodeledger rebuild --resume`.'
        : 'The live tables are unchanged.',
      ...(dryRun ? {} : { audited: 'rebuild' }),
    },
    async ({ context }) =>
      rebuild(context, { resume, restart, dryRun, acceptDifferences, toPosition }).catch((error: unknown) => {
        // The message of the fault contains no rows, so the differing rows are printed here.
        if (isFault(error) && error.code === 'replay.differences') printDifferences(error, flags);
        throw error;
      }),
  );
  if (outcome === undefined) return;
  const { comparison, ...rest } = outcome;
  const printed = { ...rest, ...(comparison && { comparison: comparisonJson(comparison) }) };
  print(printed, flags, () => rebuildLines(outcome, flags));
  if (dryRun && (comparison?.counted ?? 0) > 0) process.exitCode = 1;
}

export function rebuildLines(outcome: RebuildOutcome, { dryRun, toPosition }: RebuildFlags): string {
  const { schema, records, seconds, switched, comparison } = outcome;
  const compared =
    comparison === undefined
      ? ''
      : comparison.counted === 0
        ? `${amount(comparison.rows, 'row')} compared with the live tables, no differences\n`
        : `${differenceLines(comparison, mostShown)}${amount(comparison.counted, 'row')} of ${formatCount(comparison.rows)} differ\n`;
  const end = switched
    ? `${schema} is live. The previous tables are kept for \`nodeledger rebuild --rollback\` until the next rebuild.\n`
    : toPosition !== undefined
      ? `${schema} contains the tables as of that position; \`nodeledger rebuild --drop-previous\` removes them.\n`
      : dryRun
        ? 'Nothing was changed.\n'
        : '';
  return `${formatRate(records, seconds)} replayed into ${schema}\n${compared}${end}`;
}

function printDifferences(fault: Fault, flags: RebuildFlags): void {
  const comparison = fault.details as Comparison;
  const printed = { switched: false, comparison: comparisonJson(comparison) };
  print(printed, flags, () => differenceLines(comparison, mostShown));
}

const comparisonJson = ({ differences, counted, rows }: Comparison): object => ({
  rows,
  counted,
  differences: differences.map(differingRow),
});

async function goBack(settings: readonly string[], flags: RebuildFlags): Promise<void> {
  const afterStop = 'The live tables are unchanged; `nodeledger rebuild --rollback` starts again.';
  const back = await runMaintenance(settings, { afterStop, audited: 'rebuild --rollback' }, ({ context }) =>
    rollback(context),
  );
  if (back !== undefined) print(back, flags, () => `${back.schema} is live again\n`);
}

async function dropPrevious(settings: readonly string[], flags: RebuildFlags): Promise<void> {
  const options = { afterStop: 'Run it again to remove the rest.', audited: 'rebuild --drop-previous' };
  const dropped = await runMaintenance(settings, options, ({ context }) => dropOthers(context.db));
  if (dropped === undefined) return;
  print({ dropped }, flags, () =>
    dropped === 0 ? 'there were no other tables\n' : `${amount(dropped, 'generation')} removed\n`,
  );
}
