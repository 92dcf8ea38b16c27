import { Command, InvalidArgumentError } from 'commander';
import { settingTable, showDuration } from '#config';
import { snapshot, type SnapshotOutcome } from '#projections';
import { amount, formatDuration } from './amounts';
import { confirmChange } from './confirm';
import { runMaintenance, withSettings, type MaintenanceWork } from './maintenance/run-maintenance';
import { planLines, planSnapshot } from './maintenance/snapshot-plan';
import { print } from './print';

interface SnapshotFlags {
  readonly history?: number;
  readonly yes?: true;
  readonly json?: true;
}

const historySetting = settingTable.find(({ name }) => name === 'logHistory');

export function snapshotCommand(): Command {
  return withSettings(new Command('snapshot'))
    .option(
      '--history <duration>',
      'how much of the log to keep complete, such as 30d, or 0 for nothing (default: NODELEDGER_LOG_HISTORY)',
      readHistory,
    )
    .option('--yes', 'do not ask before records are removed')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: SnapshotFlags) => {
      const afterStop = 'The log is unchanged.';
      const outcome = await runMaintenance(settings, { afterStop, audited: 'snapshot' }, async (work) => {
        const historyMs = flags.history ?? work.settings.logHistory;
        if (!(await confirmed(work, historyMs, flags))) return undefined;
        return snapshot(work.context, { historyMs });
      });
      if (outcome === undefined) return;
      const { tails, ...rest } = outcome;
      print({ ...rest, tails: Object.fromEntries(tails) }, flags, () => snapshotLines(outcome));
    });
}

export function snapshotLines({ nothingToDo, kept, removed, seconds }: SnapshotOutcome): string {
  if (nothingToDo) return 'nothing to remove: the log has no records older than its history\n';
  return `${amount(removed, 'record')} removed, ${amount(kept, 'record')} kept in the snapshot, in ${formatDuration(seconds)}\n`;
}

async function confirmed(
  { context, say }: MaintenanceWork,
  historyMs: number,
  { yes }: SnapshotFlags,
): Promise<boolean> {
  const plan = planLines(await planSnapshot(context, historyMs), showDuration(historyMs));
  if (plan === '') return true;
  say(plan.trimEnd());
  const change = 'records are removed from the log';
  return confirmChange({ question: 'Continue?', change, yes, signal: context.signal });
}

function readHistory(text: string): number {
  const ms = historySetting?.read(text);
  if (typeof ms !== 'number') throw new InvalidArgumentError(`expected ${historySetting?.expects ?? 'a duration'}`);
  return ms;
}
