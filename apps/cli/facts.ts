import { Command } from 'commander';
import { printRows, type RowFlags, withRowFlags } from './query/print-rows';
import { requireNode } from './query/require-node';

export function factsCommand(): Command {
  return withRowFlags(new Command('facts'))
    .argument('<node>', 'certname of the node')
    .argument('[facts...]', 'names of facts, or paths into them such as os.release.full')
    .action(async (node: string, facts: readonly string[], flags: RowFlags) => {
      const query = JSON.stringify(factsQuery(node, facts));
      if ((await printRows({ query }, flags)) === 0) await requireNode(node, flags);
    });
}

/**
 * The result has one row for each fact. But if one of the facts is a path, the result has a single row with a column
 * for each fact.
 */
export function factsQuery(node: string, facts: readonly string[]): unknown[] {
  const certname = ['=', 'certname', node];
  if (facts.some((fact) => /[.[]/.test(fact))) {
    return ['from', 'inventory', ['extract', ['certname', ...facts.map((fact) => `facts.${fact}`)], certname]];
  }
  const where = facts.length === 0 ? certname : ['and', certname, ['in', 'name', ['array', facts]]];
  return ['from', 'facts', ['extract', ['name', 'value'], where], ['order_by', ['name']]];
}
