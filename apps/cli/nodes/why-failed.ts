import { amount } from '../amounts';
import { askService } from '../ask-service';
import type { ServiceFlags } from '../http-client';
import { onOneLine } from '../on-one-line';
import { paint } from '../paint';
import { type AsOfFlag, asOfParameter, sameMoment } from '../query/as-of';
import { type Event, sourceLocationOf } from '../report';

interface NodeRow {
  readonly certname: string;
  readonly report_timestamp: string | null;
  readonly report_environment: string | null;
}

interface Reason {
  /** Resource and property, such as `File[/etc/motd]/content`, or the source of the log line. */
  readonly source: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface FailedNode extends NodeRow {
  readonly reasons: readonly Reason[];
  readonly more: number;
}

type EventRow = Omit<Event, 'status'> & { readonly certname: string };

interface LogsRow {
  readonly certname: string;
  readonly logs: { readonly data: readonly (Reason & { readonly level: string })[] | null };
}

const mostReasons = 5;
/** At most this many events are read. If a node has none of them, the errors in the log of its report are shown. */
const mostEvents = 5_000;
const errorLevels: ReadonlySet<string> = new Set(['err', 'crit', 'alert', 'emerg']);

/**
 * Returns the failed nodes that `query` selects. Their reasons are failed resources, or errors in the report's log if
 * no resource failed. Sends at most three queries, whatever the number of nodes.
 */
export async function whyFailed(
  query: unknown,
  limit: number,
  service: ServiceFlags & AsOfFlag,
): Promise<FailedNode[]> {
  let moment: AsOfFlag = service;
  const ask = async <T>(ast: unknown, most?: number): Promise<readonly T[]> => {
    const paging = most === undefined ? {} : { limit: most };
    const body = JSON.stringify({ query: JSON.stringify(ast), ...paging, ...asOfParameter(moment) });
    const answer = await askService(service, '/pdb/query/v4', { method: 'POST', body });
    moment = sameMoment(moment, answer);
    return (await answer.json()) as T[];
  };
  const nodes = await ask<NodeRow>(query, limit);
  if (nodes.length === 0) return [];
  const latestOf = (names: readonly string[], ...more: readonly unknown[]): unknown[] => [
    'and',
    ['in', 'certname', ['array', names]],
    ['=', 'latest_report?', true],
    ...more,
  ];
  const names = nodes.map(({ certname }) => certname);
  const fields = ['certname', 'resource_type', 'resource_title', 'property', 'message', 'file', 'line'];
  const failures = latestOf(names, ['=', 'status', 'failure']);
  const order = ['order_by', ['certname', 'timestamp', 'resource_type', 'resource_title']];
  const reasons = new Map<string, Reason[]>(names.map((name) => [name, []]));
  for (const event of await ask<EventRow>(['from', 'events', ['extract', fields, failures], order], mostEvents)) {
    const { certname, resource_type, resource_title, property, message, file, line } = event;
    const source = `${resource_type}[${resource_title}]${property === null ? '' : `/${property}`}`;
    reasons.get(certname)?.push({ source, message: message ?? '', file, line });
  }
  const unexplained = names.filter((name) => reasons.get(name)?.length === 0);
  if (unexplained.length > 0) {
    const logs = ['from', 'reports', ['extract', ['certname', 'logs'], latestOf(unexplained)]];
    for (const { certname, logs: found } of await ask<LogsRow>(logs)) {
      const errors = (found.data ?? []).filter(({ level }) => errorLevels.has(level));
      reasons
        .get(certname)
        ?.push(...errors.map(({ source, message, file, line }) => ({ source, message, file, line })));
    }
  }
  return nodes.map(({ certname, report_timestamp, report_environment }) => {
    const all = reasons.get(certname) ?? [];
    const more = Math.max(0, all.length - mostReasons);
    return { certname, report_timestamp, report_environment, reasons: all.slice(0, mostReasons), more };
  });
}

export function whyText(nodes: readonly FailedNode[], limit: number): string {
  const blocks = nodes.map((node) => {
    const head = [node.certname, node.report_timestamp ?? '', node.report_environment ?? ''].map(onOneLine).join('  ');
    const lines = node.reasons.map(
      (reason) => `  ${onOneLine(reason.source)}: ${onOneLine(reason.message)}${sourceLocationOf(reason)}\n`,
    );
    if (lines.length === 0) lines.push('  The report has neither a failed resource nor an error in its log.\n');
    if (node.more > 0) lines.push(`  and ${node.more} more; see nodeledger report ${onOneLine(node.certname)}\n`);
    return `${paint('failed', head)}\n${lines.join('')}`;
  });
  return `${blocks.join('\n')}${amount(nodes.length, 'node')}${nodes.length === limit ? ` (there may be more: --limit ${limit * 2})` : ''}\n`;
}
