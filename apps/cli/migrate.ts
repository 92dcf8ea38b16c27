import { Command, InvalidArgumentError, Option } from 'commander';
import { Fault } from '#fault';
import { type ConfigFlags, convertConfiguration } from './migrate/convert-configuration';
import { type CopyFlags, copyServer } from './migrate/copy-server';
import { ownServiceUrl } from './service-url';

type MigrateFlags = Partial<CopyFlags> & Partial<ConfigFlags>;

/** `nodeledger migrate --from URL`: the data of a running PuppetDB; `--config DIR`: its configuration. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('take over the data (--from) or the configuration (--config) of a PuppetDB or OpenVoxDB')
    .addOption(new Option('--from <url>', 'copy everything that the server at this address has').conflicts('config'))
    .option('--from-cert <file>', 'client certificate (PEM) for the source')
    .option('--from-key <file>', 'key of that certificate (PEM)')
    .option('--from-ca <file>', "certificates of the authorities that signed the source's certificate (PEM)")
    .option('--url <url>', 'the service to copy to, if not the one of the settings', ownServiceUrl())
    .option('--cert <file>', 'client certificate (PEM) for the service')
    .option('--key <file>', 'key of that certificate (PEM)')
    .option('--ca <file>', "certificates of the authorities that signed the service's certificate (PEM)")
    .option('--concurrency <count>', 'nodes that are copied at the same time', within(1, 64), 4)
    .option('--sample <count>', 'nodes whose documents are compared at the end', within(0, 100_000), 20)
    .option('--compare', 'copy nothing: only compare')
    .option('--config <dir>', 'convert the settings in the *.ini files of this folder into a nodeledger.yaml')
    .option('--allowlist <file>', 'with --config: file of the certificate names that may connect')
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

const within =
  (from: number, to: number) =>
  (text: string): number => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
    if (count >= from && count <= to) return count;
    throw new InvalidArgumentError(`expected a whole number from ${from} to ${to}`);
  };
