import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '#fault';
import { checkIssued, readTlsFiles, type TlsFiles } from '#tls';

/** What was copied. */
export interface SslCopy {
  readonly certname: string;
  /** ISO 8601. */
  readonly validTo: string;
  /** The copies. */
  readonly files: TlsFiles;
}

/** Only the user of the service may read the key. */
const modes = { cert: 0o644, key: 0o600, ca: 0o644, crl: 0o644 } as const;

/**
 * Copies files that fit together into a folder. Root gives them to the owner of the folder around it, who is the user of
 * the service. Faults: `tls.*`; `cli.ssl-exists` where other files are there and `force` is false: nothing is changed then.
 */
export async function copySslFiles(from: TlsFiles, folder: string, force: boolean): Promise<SslCopy> {
  const material = await readTlsFiles(from);
  checkIssued(from, material);
  const copies = (['cert', 'key', 'ca', 'crl'] as const).flatMap((kind) => {
    const source = from[kind];
    return source === undefined ? [] : [{ kind, source, to: join(folder, `${kind}.pem`) }];
  });
  const contents = await Promise.all(copies.map(({ source }) => readFile(source)));
  const old = await Promise.all(copies.map(({ to }) => contentOf(to)));
  const others = copies.filter((_, at) => old[at] !== undefined && !old[at].equals(contents[at]!));
  if (others.length > 0 && !force) {
    throw new Fault('conflict', 'cli.ssl-exists', `Other files are there: ${others.map(({ to }) => to).join(', ')}.`, {
      hint: 'Replace them with -f, or name another folder by --target.',
    });
  }
  const madeFolder = await mkdir(folder, { recursive: true, mode: 0o755 });
  const owner = process.getuid?.() === 0 ? await stat(dirname(madeFolder ?? folder)) : undefined;
  if (owner !== undefined && madeFolder !== undefined) {
    for (const made of [madeFolder, folder]) await chown(made, owner.uid, owner.gid);
  }
  for (const [at, { kind, to }] of copies.entries()) {
    await replaceFile(to, contents[at]!, modes[kind], owner);
  }
  const files = Object.fromEntries(copies.map(({ kind, to }) => [kind, to])) as unknown as TlsFiles;
  const { subject, validTo } = material.certificate;
  const certname = /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject;
  return { certname, validTo: new Date(validTo).toISOString(), files };
}

const contentOf = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** A running service sees the old file or the new one, never half of one; nobody sees the key before its mode is set. */
async function replaceFile(
  path: string,
  content: Buffer,
  mode: number,
  owner: { readonly uid: number; readonly gid: number } | undefined,
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    await writeFile(unfinished, content, { mode, flag: 'wx' });
    if (owner !== undefined) await chown(unfinished, owner.uid, owner.gid);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
