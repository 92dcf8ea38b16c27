import { Command, Option } from 'commander';
import { Fault } from '#fault';
import { countBetween } from './arguments';
import { type ConfigFlags, convertConfiguration } from './migrate/convert-configuration';
import { type CopyFlags, copyServer } from './migrate/copy-server';
import { ownServiceUrl } from './service-url';

type MigrateFlags = Partial<CopyFlags> & Partial<ConfigFlags>;

export function migrateCommand(): Command {
  return new Command('migrate')
    .addOption(new Option('--from <url>', 'copy all data of the server at this address').conflicts('config'))
    .option('--from-cert <file>', 'client certificate (PEM) for the source')
    .option('--from-key <file>', 'private key of the client certificate (PEM)')
    .option('--from-ca <file>', 'CA that signed the certificate of the source (PEM)')
    .option('--url <url>', 'address of the service to copy to', ownServiceUrl())
    .option('--cert <file>', 'client certificate (PEM) for the service')
    .option('--key <file>', 'private key of the client certificate (PEM)')
    .option('--ca <file>', 'CA that signed the certificate of the service (PEM)')
    .option('--concurrency <count>', 'number of nodes that are copied at the same time', countBetween(1, 64), 4)
    .option('--sample <count>', 'number of nodes whose documents are compared at the end', countBetween(0, 100_000), 20)
    .option('--compare', 'compare both servers and copy nothing')
    .option('--config <dir>', 'convert the settings in the *.ini files of this folder into a nodeledger.yaml')
    .option('--allowlist <file>', 'with --config: allowlist of certificate names')
    .option('--output <file>', 'with --config: file to write; it must not exist (default: standard output)')
    .option('--json', 'with --from: print JSON, even on a terminal')
    .action(async (flags: MigrateFlags) => {
      if (flags.config !== undefined) await convertConfiguration({ ...flags, config: flags.config });
      else if (flags.from !== undefined) await copyServer({ ...(flags as CopyFlags), from: flags.from });
      else {
        throw new Fault('malformed', 'migrate.address', 'Nothing to migrate: give --from or --config', {
          hint: 'Examples: --from https://puppetdb.example.com:8081, --config /etc/puppetdb/conf.d',
        });
      }
    });
}
