import { Command } from 'commander';
import { Fault } from '#fault';
import { countFrom } from './arguments';
import { defaultUrl } from './ask-service';
import { agrees } from './confirm';
import { onOneLine } from './on-one-line';
import { submit, submitText } from './submit';

/** `nodeledger deactivate NODE…`: hides nodes until they send something again. */
export function deactivateCommand(): Command {
  return new Command('deactivate')
    .description('deactivate nodes: queries no longer show them, until they send facts, a catalog or a report again')
    .argument('<nodes...>', 'certnames')
    .option('-y, --yes', 'do not ask')
    .option('--wait <seconds>', 'how long to wait until it is done', countFrom(0), 30)
    .option('--url <address>', 'address of the service', defaultUrl)
    .action(async (nodes: readonly string[], flags: { yes?: true; wait: number; url: string }) => {
      if (!flags.yes && !process.stdin.isTTY) {
        throw new Fault('conflict', 'cli.unconfirmed', 'nodes are deactivated only after confirmation', {
          hint: 'Say --yes. Nothing was changed.',
        });
      }
      if (!flags.yes && !(await agrees(`Deactivate ${nodes.map(onOneLine).join(', ')}?`))) {
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
