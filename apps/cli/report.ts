import { Command } from 'commander';
import { askService } from './ask-service';
import { columns } from './columns';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { paint } from './paint';
import { print } from './print';
import { type AsOfFlag, asOfParameter, warnOfRemoved, withAsOf } from './query/as-of';
import { requireNode } from './query/require-node';

export interface Event {
  readonly status: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
}
interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly source: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface Report {
  readonly certname: string;
  readonly status: string | null;
  readonly environment: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly configuration_version: string;
  readonly noop: boolean | null;
  readonly resource_events: { readonly data: readonly Event[] | null };
  readonly logs: { readonly data: readonly LogLine[] | null };
}

const notable = ['warning', 'err', 'alert', 'emerg', 'crit'];

export const sourceLocationOf = ({ file, line }: Pick<Event, 'file' | 'line'>): string =>
  file === null ? '' : ` (${onOneLine(file)}${line === null ? '' : `:${line}`})`;

export function reportText(report: Report): string {
  const events = report.resource_events.data ?? [];
  const logs = (report.logs.data ?? []).filter(({ level }) => notable.includes(level));
  const seconds = (Date.parse(report.end_time) - Date.parse(report.start_time)) / 1000;
  const head = columns([
    ['node', onOneLine(report.certname)],
    ['status', `${paint(onOneLine(report.status ?? 'unknown'))}${report.noop === true ? ' (no-op)' : ''}`],
    ['environment', onOneLine(report.environment ?? '')],
    ['started', `${report.start_time}, ${seconds.toFixed(1)} s long`],
    ['configuration', onOneLine(report.configuration_version)],
  ]);
  const eventLines = events.map((event) => {
    const resource = `${onOneLine(event.resource_type)}[${onOneLine(event.resource_title)}]`;
    const property = event.property === null ? '' : `/${onOneLine(event.property)}`;
    const message = event.message ? `: ${onOneLine(event.message)}` : '';
    return `  ${paint(event.status, onOneLine(event.status).padEnd(8))} ${resource}${property}${message}${sourceLocationOf(event)}\n`;
  });
  const logLines = logs.map(
    (line) =>
      `  ${paint(line.level, onOneLine(line.level).padEnd(8))} ${onOneLine(line.source)}: ${onOneLine(line.message)}${sourceLocationOf(line)}\n`,
  );
  return (
    head +
    (eventLines.length === 0 ? '\nno events\n' : `\nevents\n${eventLines.join('')}`) +
    (logLines.length === 0 ? '' : `\nwarnings and errors\n${logLines.join('')}`)
  );
}

export function reportCommand(): Command {
  return withAsOf(withService(new Command('report')))
    .argument('<node>', 'certname of the node')
    .option('--json', 'print the whole report as JSON, even on a terminal')
    .action(async (node: string, flags: ServiceFlags & AsOfFlag & { json?: true }) => {
      const query = ['from', 'reports', ['and', ['=', 'certname', node], ['=', 'latest_report?', true]]];
      const body = JSON.stringify({ query: JSON.stringify(query), ...asOfParameter(flags) });
      const answer = await askService(flags, '/pdb/query/v4', { method: 'POST', body });
      warnOfRemoved(answer);
      const [report] = (await answer.json()) as Report[];
      if (report === undefined) {
        await requireNode(node, flags);
        throw new Error(`${node} has sent no report, or its last report was removed (NODELEDGER_REPORT_TTL)`);
      }
      print(report, flags, () => reportText(report));
    });
}
