import { Command } from 'commander';
import { countFrom } from './arguments';
import { askService } from './ask-service';
import { confirmChange } from './confirm';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { submit, submitText } from './submit';

interface DeactivateFlags extends ServiceFlags {
  readonly yes?: true;
  readonly allowUnknown?: true;
  readonly wait: number;
}

/** A node appears again when the service receives a newer command about it. */
export function deactivateCommand(): Command {
  return withService(new Command('deactivate'))
    .argument('<nodes...>', 'certnames')
    .option('-y, --yes', 'do not ask')
    .option('--allow-unknown', 'create nodes that the service does not know, as deactivated nodes')
    .option('--wait <seconds>', 'how long to wait until queries no longer show the nodes', countFrom(0), 30)
    .action(async (named: readonly string[], flags: DeactivateFlags) => {
      const nodes = flags.allowUnknown ? named : await knownNodes(named, flags);
      if (nodes.length === 0) return;
      const question = `Deactivate ${nodes.map(onOneLine).join(', ')}?`;
      if (!(await confirmChange({ question, change: 'nodes are deactivated', yes: flags.yes }))) return;
      for (const certname of nodes) {
        const payload = JSON.stringify({ certname, producer_timestamp: new Date().toISOString() });
        const outcome = await submit({ command: 'deactivate_node', version: 3, certname }, payload, flags);
        const isDone = outcome.processed === true && outcome.error === undefined;
        process.stdout.write(
          isDone
            ? `${onOneLine(certname)} is deactivated.\n`
            : submitText(`deactivation of ${certname}`, outcome, flags.wait),
        );
        if (flags.wait > 0 && !isDone) process.exitCode = 1;
      }
    });
}

/**
 * Returns the named nodes that the service knows, whether active or not. If there are unknown nodes, warns about each
 * of them and sets the exit code to 1.
 */
async function knownNodes(named: readonly string[], service: ServiceFlags): Promise<readonly string[]> {
  const isNamed = ['in', 'certname', ['array', named]];
  const where = ['and', isNamed, ['=', 'node_state', 'any']];
  const query = JSON.stringify(['from', 'nodes', ['extract', ['certname'], where]]);
  const answer = await askService(service, '/pdb/query/v4', { method: 'POST', body: JSON.stringify({ query }) });
  const known = new Set(((await answer.json()) as { certname: string }[]).map(({ certname }) => certname));
  for (const name of named) {
    if (known.has(name)) continue;
    process.stderr.write(
      `nodeledger: no node is called ${onOneLine(name)}; it was not changed (--allow-unknown creates it)\n`,
    );
    process.exitCode = 1;
  }
  return named.filter((name) => known.has(name));
}
