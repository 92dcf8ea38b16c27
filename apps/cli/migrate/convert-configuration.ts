import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#fault';
import { type ConfigFile, convertConfig } from '#migrate';
import { amount } from '../amounts';

export interface ConfigFlags {
  readonly config: string;
  readonly allowlist?: string;
  readonly output?: string;
}

const mostBytes = 1 << 20;

/** Throws `migrate.config` if the configuration cannot be converted. */
export async function convertConfiguration({ config, allowlist, output }: ConfigFlags): Promise<void> {
  const { files, others } = await read(config);
  const { text, converted, leftOut, notes } = convertConfig(files, allowlist);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  for (const name of others) say(`${name} is not read: it is not an INI file; docs/migrate.md describes its settings`);
  for (const note of notes) say(note);
  if (output === undefined) process.stdout.write(text);
  else {
    // Other users must not read the file, because it contains paths and addresses.
    await writeFile(output, text, { flag: 'wx', mode: 0o640 }).catch((cause: NodeJS.ErrnoException) => {
      throw unreadable(
        cause.code === 'EEXIST' ? `${output} exists already` : `${output} cannot be written: ${cause.message}`,
        'Name another file, or leave --output out.',
        cause,
      );
    });
  }
  say(
    `${amount(converted, 'setting')} converted, ${amount(leftOut, 'setting')} without a counterpart (comments in the file)`,
  );
}

async function read(dir: string): Promise<{ files: ConfigFile[]; others: string[] }> {
  const names = await readdir(dir).catch((cause: Error) => {
    throw unreadable(
      `${dir} cannot be read: ${cause.message}`,
      'Name the folder, such as /etc/puppetdb/conf.d.',
      cause,
    );
  });
  const files: ConfigFile[] = [];
  for (const name of names.filter((one) => one.endsWith('.ini')).sort()) {
    const bytes = await readFile(join(dir, name)).catch((cause: Error) => {
      throw unreadable(`${join(dir, name)} cannot be read: ${cause.message}`, 'Run it as root.', cause);
    });
    if (bytes.length > mostBytes)
      throw unreadable(`${join(dir, name)} has ${bytes.length} bytes`, 'This is not a configuration file of PuppetDB.');
    files.push({ name, text: bytes.toString('utf8') });
  }
  if (files.length === 0) {
    throw unreadable(`${dir} holds no *.ini file`, 'Name the folder, such as /etc/puppetdb/conf.d.');
  }
  return { files, others: names.filter((name) => /\.(conf|edn|json|properties)$/.test(name)).sort() };
}

const unreadable = (message: string, hint: string, cause?: unknown): Fault =>
  new Fault('malformed', 'migrate.config', message, { hint, cause });
