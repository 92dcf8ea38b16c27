import { Command, InvalidArgumentError } from 'commander';
import { type AuditEntry, AuditLog } from '#access';
import { readSettings } from '#config';
import { countBetween } from './arguments';
import { columns } from './columns';
import { withSettings } from './maintenance/run-maintenance';
import { onOneLine } from './on-one-line';
import { openStore } from './open-store';
import { print } from './print';

interface AuditFlags {
  readonly limit: number;
  readonly before?: Date;
  readonly json?: true;
}

const mostEntries = 100_000;

export function auditCommand(): Command {
  return withSettings(new Command('audit'))
    .option('--limit <count>', 'largest number of entries to show', countBetween(0, mostEntries), 100)
    .option('--before <time>', 'only entries before this time, ISO 8601', time)
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: AuditFlags) => {
      const store = await openStore(readSettings(settings).settings, (text) => process.stderr.write(`${text}\n`));
      try {
        const entries = await new AuditLog(store.db).list({ limit: flags.limit, before: flags.before });
        print({ entries }, flags, () => auditTable(entries));
      } finally {
        await store.close();
      }
    });
}

export function auditTable(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'no entries\n';
  return columns([
    ['TIME', 'WHO', 'FROM', 'WHAT', 'OUTCOME'],
    ...entries.map(({ at, actor, address, action, subject, outcome }) => [
      at.toISOString(),
      onOneLine(actor),
      address ?? 'command line',
      onOneLine(subject === null ? action : `${action} ${subject}`),
      outcome ?? 'not finished',
    ]),
  ]);
}

function time(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('expected a time such as 2026-01-31T12:00:00Z');
  return at;
}
