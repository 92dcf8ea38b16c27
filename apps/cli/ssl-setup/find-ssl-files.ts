import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Fault } from '#fault';
import type { TlsFiles } from '#tls';

const usualFolders = [
  '/etc/puppetlabs/puppet/ssl',
  '/var/lib/puppet/ssl',
  '/etc/puppet/ssl',
  join(homedir(), '.puppetlabs/etc/puppet/ssl'),
];

const configFolders = ['/etc/puppetlabs/puppet', '/etc/puppet'];

const refuse = (message: string, hint: string): Fault => new Fault('missing', 'cli.ssl-source', message, { hint });

/** Throws `cli.ssl-source` if the files do not exist or are ambiguous. */
export async function findSslFiles(ssldir?: string, certname?: string): Promise<TlsFiles> {
  const folder = ssldir ?? (await firstOf(usualFolders));
  if (folder === undefined) {
    throw refuse(
      `No agent has an ssl directory on this machine: looked for ${usualFolders.join(', ')}.`,
      'Give the directory with --ssldir; `puppet config print ssldir` prints it.',
    );
  }
  const name = certname ?? (await onlyName(folder));
  const crl = join(folder, 'crl.pem');
  const files: TlsFiles = {
    cert: join(folder, 'certs', `${name}.pem`),
    key: join(folder, 'private_keys', `${name}.pem`),
    ca: join(folder, 'certs', 'ca.pem'),
    ...((await isThere(crl)) ? { crl } : {}),
  };
  for (const path of [files.cert, files.key, files.ca]) {
    if (await isThere(path)) continue;
    throw refuse(
      `${path} is not there.`,
      'Give another directory with --ssldir or another certificate with --certname; `puppet ssl bootstrap` gets a certificate for this machine.',
    );
  }
  return files;
}

export async function findServer({ ca }: TlsFiles): Promise<string | undefined> {
  for (const folder of [dirname(dirname(dirname(ca))), ...configFolders]) {
    const text = await readFile(join(folder, 'puppet.conf'), 'utf8').catch(() => '');
    const [, server] = /^[ \t]*server[ \t]*=[ \t]*(\S+)/m.exec(text) ?? [];
    if (server !== undefined) return server;
  }
  return undefined;
}

async function onlyName(folder: string): Promise<string> {
  const certificates = await names(join(folder, 'certs'));
  const keys = await names(join(folder, 'private_keys'));
  const [name, ...others] = certificates.filter((one) => keys.includes(one));
  if (name !== undefined && others.length === 0) return name;
  if (name === undefined) {
    throw refuse(
      `${folder} has no certificate with a private key.`,
      'Give another directory with --ssldir; `puppet ssl bootstrap` gets a certificate for this machine.',
    );
  }
  throw refuse(`${folder} has several certificates: ${[name, ...others].join(', ')}.`, 'Choose one with --certname.');
}

async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new Fault('missing', 'cli.ssl-source', `${folder} cannot be read: ${cause.message}`, {
      hint: 'Give the ssl directory of an agent with --ssldir, and run this as a user who may read it.',
      cause,
    });
  });
  return entries
    .filter((entry) => entry.endsWith('.pem') && entry !== 'ca.pem')
    .map((entry) => entry.slice(0, -'.pem'.length))
    .sort();
}

async function firstOf(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await isThere(folder)) return folder;
  return undefined;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
