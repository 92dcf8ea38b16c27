import { Command } from 'commander';
import { Fault } from '#fault';
import { countFrom } from './arguments';
import { askToConfirm } from './confirm';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { submit, submitText } from './submit';

/** `nodeledger deactivate NODE…`: hides nodes until they send something again. */
export function deactivateCommand(): Command {
  return withService(new Command('deactivate'))
    .description('deactivate nodes: queries no longer show them, until they send facts, a catalog or a report again')
    .argument('<nodes...>', 'certnames')
    .option('-y, --yes', 'do not ask')
    .option('--wait <seconds>', 'how long to wait until it is done', countFrom(0), 30)
    .action(async (nodes: readonly string[], flags: ServiceFlags & { yes?: true; wait: number }) => {
      if (!flags.yes && !process.stdin.isTTY) {
        throw new Fault('conflict', 'cli.unconfirmed', 'nodes are deactivated only after confirmation', {
          hint: 'Say --yes. Nothing was changed.',
        });
      }
      if (!flags.yes && !(await askToConfirm(`Deactivate ${nodes.map(onOneLine).join(', ')}?`))) {
        process.stderr.write('Nothing was changed.\n');
        process.exitCode = 1;
        return;
      }
      for (const certname of nodes) {
        const payload = JSON.stringify({ certname, producer_timestamp: new Date().toISOString() });
        const outcome = await submit({ command: 'deactivate_node', version: 3, certname }, payload, flags);
        process.stdout.write(submitText(`deactivation of ${certname}`, outcome, flags.wait));
        if (flags.wait > 0 && outcome.processed !== true) process.exitCode = 1;
      }
    });
}
