import { once } from 'node:events';
import { Command } from 'commander';
import { changeLine } from './changes/change-line';
import { followChanges } from './changes/follow-changes';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine, plainJson } from './on-one-line';

interface ChangesFlags extends ServiceFlags {
  readonly follow?: true;
  readonly since?: string;
  readonly kind?: string;
  readonly node?: string;
  readonly environment?: string;
  readonly query?: string;
  readonly json?: true;
}

const defaultSince = '1 hour ago';

const examples = `
Examples:
  nodeledger changes --since '2 hours ago'
  nodeledger changes --follow --kind report,deactivated
  nodeledger changes --follow --query '["=",["fact","kernel"],"Linux"]' | jq .subject
`;

export function changesCommand(): Command {
  return withService(new Command('changes'))
    .option('--follow', 'go on with each further change, also after the service was restarted')
    .option(
      '--since <moment>',
      `begin at this moment, such as "2 days ago" or 2026-01-31T12:00:00Z (default: ${defaultSince}, with --follow now)`,
    )
    .option('--kind <kinds>', 'only these kinds, separated by commas, such as report,deactivated')
    .option('--node <certnames>', 'only these nodes, separated by commas')
    .option('--environment <names>', 'only changes from these environments, separated by commas')
    .option('--query <condition>', 'only nodes that match this condition (AST)')
    .option('--json', 'print the events as JSON, one on each line, even on a terminal')
    .addHelpText('after', examples)
    .action(async (flags: ChangesFlags) => {
      const since = flags.since ?? (flags.follow ? undefined : defaultSince);
      const parameters = {
        since,
        kind: flags.kind,
        certname: flags.node,
        environment: flags.environment,
        query: flags.query,
      };
      const isJson = flags.json === true || !process.stdout.isTTY;
      await followChanges(flags, {
        parameters,
        follow: flags.follow === true,
        onEvent: async (event) => {
          const text = isJson ? `${plainJson(event)}\n` : changeLine(event);
          if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        },
        onRetry: (reason) => process.stderr.write(`nodeledger: ${onOneLine(reason)}; connecting again\n`),
      });
    });
}
