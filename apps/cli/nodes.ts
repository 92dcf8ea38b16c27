import { Command, Option } from 'commander';
import { countFrom, readMilliseconds } from './arguments';
import { whyFailed, whyText } from './nodes/why-failed';
import { print } from './print';
import { printRows, type RowFlags, withRowFlags } from './query/print-rows';

interface NodeFilter {
  readonly failed?: true;
  readonly changed?: true;
  /** In milliseconds. */
  readonly unreported?: number;
  readonly environment?: string;
  readonly inactive?: true;
}

interface NodesFlags extends NodeFilter, RowFlags {
  readonly why?: true;
  readonly limit?: number;
}

const explainedNodes = 100;
const fields = ['certname', 'latest_report_status', 'report_timestamp', 'report_environment'];

/** In a query about the past, `now` is undefined, because the service uses the time of --as-of. */
export function nodesQuery(
  { failed, changed, unreported, environment, inactive }: NodeFilter,
  now: number | undefined,
): unknown[] {
  const conditions: unknown[] = [];
  if (failed) conditions.push(['=', 'latest_report_status', 'failed']);
  if (changed) conditions.push(['=', 'latest_report_status', 'changed']);
  if (unreported !== undefined) {
    const since =
      now === undefined
        ? ['-', ['now'], `${Math.round(unreported / 1000)}s`]
        : new Date(now - unreported).toISOString();
    conditions.push(['or', ['<', 'report_timestamp', since], ['null?', 'report_timestamp', true]]);
  }
  if (environment !== undefined) conditions.push(['=', 'report_environment', environment]);
  if (inactive) conditions.push(['=', 'node_state', 'inactive']);
  const [only] = conditions;
  const where = only === undefined ? [] : conditions.length === 1 ? [only] : [['and', ...conditions]];
  return ['from', 'nodes', ['extract', fields, ...where], ['order_by', ['certname']]];
}

export function nodesCommand(): Command {
  return withRowFlags(new Command('nodes'))
    .option('--failed', 'only nodes whose last report failed')
    .addOption(
      new Option('--why', 'only failed nodes, each with its failed resources, or with the errors in its log')
        .implies({ failed: true })
        .conflicts(['format', 'changed', 'inactive']),
    )
    .option('--changed', 'only nodes whose last report changed something')
    .option('--unreported <duration>', 'only nodes without a report for this long, such as 2h', readMilliseconds)
    .option('--environment <name>', 'only nodes whose last report was from this environment')
    .option('--inactive', 'only nodes that are deactivated or expired, instead of the active ones')
    .option('--limit <count>', 'largest number of nodes', countFrom(1))
    .action(async (flags: NodesFlags) => {
      const condition = nodesQuery(flags, flags.asOf === undefined ? Date.now() : undefined);
      if (flags.why) {
        const limit = flags.limit ?? explainedNodes;
        const failed = await whyFailed(condition, limit, flags);
        print(failed, flags, () => whyText(failed, limit));
        return;
      }
      const query = JSON.stringify(condition);
      await printRows({ query, ...(flags.limit === undefined ? {} : { limit: flags.limit }) }, flags);
    });
}
