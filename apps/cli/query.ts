import { Command } from 'commander';
import { askService } from './ask-service';
import { countFrom } from './arguments';
import type { ServiceFlags } from './http-client';
import { asOfParameter } from './query/as-of';
import { printRows, type RowFlags, withRowFlags } from './query/print-rows';
import { readInput } from './read-input';

interface QueryFlags extends RowFlags {
  readonly file?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly explain?: true;
}

const examples = `
Examples:
  nodeledger query 'nodes[certname, latest_report_status] { latest_report_status = "failed" }'
  nodeledger query --format csv 'inventory[certname, facts.os.release.full] { facts.os.family = "Debian" }'
  nodeledger query '["from","facts",["=","name","kernel"]]' --limit 10
  nodeledger query --as-of '2 days ago' 'package_inventory[certname] { package_name = "openssl" }'
  nodeledger query --file failed.pql --json | jq length
`;

export function queryCommand(): Command {
  return withRowFlags(new Command('query'))
    .argument('[query]', 'PQL, or an AST query that begins with ["from", …]')
    .option('--file <file>', 'read the query from this file; - reads standard input')
    .option('--limit <count>', 'largest number of rows', countFrom(1))
    .option('--offset <count>', 'number of rows to skip', countFrom(0))
    .option('--explain', 'print how PostgreSQL runs the query, instead of its rows')
    .addHelpText('after', examples)
    .action(async (argument: string | undefined, flags: QueryFlags) => {
      const query = await queryText(argument, flags.file);
      const paging = {
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
        ...(flags.offset === undefined ? {} : { offset: flags.offset }),
      };
      if (flags.explain) await printPlan({ query, ...paging, ...asOfParameter(flags) }, flags);
      else await printRows({ query, ...paging }, flags);
    });
}

async function queryText(argument: string | undefined, file: string | undefined): Promise<string> {
  if (argument !== undefined && file === undefined) return argument;
  if (argument === undefined && file !== undefined) return (await readInput(file)).trim();
  throw new Error('give either a query or --file; see nodeledger query --help');
}

async function printPlan(query: object, service: ServiceFlags): Promise<void> {
  const body = JSON.stringify({ ...query, explain: 'analyze' });
  const answer = await askService(service, '/pdb/query/v4', { method: 'POST', body });
  process.stdout.write(`${JSON.stringify(await answer.json(), null, 2)}\n`);
}
