import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings } from '#config';
import { copySslFiles, type SslCopy } from './ssl-setup/copy-ssl-files';
import { findServer, findSslFiles } from './ssl-setup/find-ssl-files';

interface SslSetupFlags {
  readonly ssldir?: string;
  readonly certname?: string;
  readonly target?: string;
  readonly server?: string;
  readonly force?: true;
}

export function sslSetupCommand(): Command {
  return new Command('ssl-setup')
    .option('--ssldir <folder>', "the agent's ssl directory (default: that of the agent of this machine)")
    .option('--certname <name>', 'the name of the certificate (default: the only one that has a key)')
    .option('--target <folder>', 'where the copies go (default: ssl in the data directory)')
    .option(
      '--server <name>',
      "the configuration server, for the file of roles (default: server in the agent's puppet.conf)",
    )
    .option('-f, --force', 'replace files that differ')
    .argument('[settings...]', 'settings of the service, such as --data-dir /var/lib/nodeledger')
    .allowUnknownOption()
    .action(async (settings: string[], { ssldir, certname, target, force, ...given }: SslSetupFlags) => {
      const folder = resolve(target ?? join(readSettings(settings).settings.dataDir, 'ssl'));
      const found = await findSslFiles(ssldir, certname);
      const server = given.server ?? (await findServer(found));
      const servers = server === undefined ? [] : [server];
      process.stdout.write(sslSetupLines(await copySslFiles(found, folder, { force: force === true, servers })));
    });
}

export function sslSetupLines({ certname, validTo, files, roles }: SslCopy): string {
  const { cert, key, ca, crl } = files;
  const settings = { CERT: cert, KEY: key, CA: ca, ...(crl === undefined ? {} : { CRL: crl }) };
  const lines = [
    `The certificate of ${certname} is valid until ${validTo.slice(0, 10)}.`,
    'Set these for the service, then start it:',
    '',
    ...Object.entries(settings).map(([name, path]) => `NODELEDGER_TLS_${name}=${path}`),
    `NODELEDGER_AUTHORIZATION=${roles.path}`,
    '',
    ...(roles.written === undefined
      ? [`${roles.path} exists and was not changed. It says what each certificate may do.`]
      : [`${roles.path} is new. It says what each certificate may do; edit it to allow more:`, '', roles.written]),
    'When the agent has a new certificate or new revocation lists, run this again with -f. The service need not be restarted.',
  ];
  return `${lines.join('\n')}\n`;
}
