import { Command } from 'commander';
import { countBetween } from './arguments';
import { askService } from './ask-service';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { paint, paintChange, paintTitle } from './paint';
import { print } from './print';

/** The value of `part` decides which other members exist. */
export interface TimelineChange {
  readonly part: string;
  readonly change?: 'added' | 'removed' | 'changed';
  readonly path?: readonly (string | number)[];
  readonly old?: unknown;
  readonly new?: unknown;
  /** This member and the next two exist if `part` is `resources`. */
  readonly type?: string;
  readonly title?: string;
  readonly changes?: readonly TimelineChange[];
  /** This member and the next exist if `part` is `packages`. */
  readonly name?: string;
  readonly provider?: string;
  /** This member and the next four exist if `part` is `edges`. */
  readonly relationship?: string;
  readonly source_type?: string;
  readonly source_title?: string;
  readonly target_type?: string;
  readonly target_title?: string;
  /** This member and all further members exist if `part` is `events`. */
  readonly status?: string;
  readonly resource_type?: string;
  readonly resource_title?: string;
  readonly property?: string | null;
  readonly message?: string | null;
}

export interface TimelineEntry {
  readonly certname: string;
  readonly kind: string;
  readonly received_at: string;
  readonly environment: string | null;
  readonly status: string | null;
  readonly seen_until: string;
  readonly seen_count: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly changes: readonly TimelineChange[];
  readonly changes_left_out: number;
}

export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  readonly next: string | null;
}

interface TimelineFlags extends ServiceFlags {
  readonly kind?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly resource?: string;
  readonly package?: string;
  readonly limit?: number;
  readonly after?: string;
  readonly json?: true;
}

const passed = ['kind', 'status', 'from', 'to', 'path', 'resource', 'package', 'limit', 'after'] as const;

export function timelineCommand(): Command {
  return withService(new Command('timeline'))
    .argument('[node]', 'certname of a node; all nodes if absent')
    .option('--kind <kinds>', 'kinds of entries, with commas: facts, packages, catalog, report, deactivated, …')
    .option('--status <statuses>', 'statuses of reports, with commas: failed, changed, unchanged')
    .option('--from <moment>', 'entries from this moment on, such as "2h ago" or 2026-01-31T12:00:00Z')
    .option('--to <moment>', 'entries before this moment')
    .option('--path <path>', 'the history of one value: the path of a fact, such as os.release.full')
    .option('--resource <resource>', "the history of one resource, such as 'File[/etc/motd]'")
    .option('--package <name>', 'the history of one package')
    .option('--limit <count>', 'largest number of entries; default: 50', countBetween(1, 200))
    .option('--after <key>', 'continue after the page that ended with this key')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (node: string | undefined, flags: TimelineFlags) => {
      const given = Object.fromEntries(passed.map((name) => [name, flags[name]]));
      const answer = await askService(flags, '/nodeledger/v1/timeline', { parameters: { ...given, certname: node } });
      const page = (await answer.json()) as TimelinePage;
      print(page, flags, () => timelineText(page));
    });
}

export function timelineText({ entries, next }: TimelinePage): string {
  if (entries.length === 0) return 'no changes\n';
  const more = next === null ? '' : `\nearlier entries: --after '${next}'\n`;
  return `${entries.map(entryText).join('\n')}${more}`;
}

function entryText(entry: TimelineEntry): string {
  const { received_at, certname, kind, status, seen_until, seen_count, changes, changes_left_out } = entry;
  const counts = (['added', 'changed', 'removed'] as const).flatMap((name) =>
    entry[name] === 0 || kind === 'report' ? [] : [`${entry[name]} ${name}`],
  );
  const seen = seen_count > 1 ? [`seen ${seen_count} times until ${seen_until}`] : [];
  const about = [...(status === null ? [] : [paint(status, onOneLine(status))]), ...counts, ...seen];
  const title = `${paintTitle(`${received_at}  ${onOneLine(certname)}  ${kind}`)}${about.length === 0 ? '' : `  ${about.join(', ')}`}\n`;
  const left = changes_left_out === 0 ? '' : `    … and ${changes_left_out} more\n`;
  return (
    title +
    changes
      .flatMap((change) => changeLines(change, '    '))
      .map((line) => `${line}\n`)
      .join('') +
    left
  );
}

const signs = { added: '+', removed: '-', changed: '~' } as const;

function changeLines(change: TimelineChange, indent: string): readonly string[] {
  const sign = signs[change.change ?? 'changed'];
  const line = (text: string): string => paintChange(`${indent}${sign} ${onOneLine(text)}`);
  const values = [change.old, change.new].filter((value) => value !== undefined).map((value) => JSON.stringify(value));
  switch (change.part) {
    case 'resources': {
      const name = `${change.type}[${change.title}]`;
      if (change.changes === undefined) return [line(name)];
      return [line(name), ...change.changes.flatMap((one) => changeLines({ ...one, part: 'facts' }, `${indent}    `))];
    }
    case 'packages': {
      const versions = [change.old, change.new] as (readonly string[])[];
      const shown = versions.filter((some) => some.length > 0).map((some) => some.join(', '));
      return [line(`${change.name} (${change.provider}): ${shown.join(' → ')}`)];
    }
    case 'edges':
      return [
        line(
          `${change.source_type}[${change.source_title}] ${change.relationship} ${change.target_type}[${change.target_title}]`,
        ),
      ];
    case 'events': {
      const property = change.property ? `/${change.property}` : '';
      const text = `${change.resource_type}[${change.resource_title}]${property}${change.message ? `: ${change.message}` : ''}`;
      const status = change.status ?? '';
      return [`${indent}${paint(status, onOneLine(status))} ${onOneLine(text)}`];
    }
    case 'facts':
      return [line(`${(change.path ?? []).map(String).join('.')}: ${values.join(' → ')}`)];
    default:
      return [line(`${change.part}: ${values.join(' → ')}`)];
  }
}
