import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#fault';
import { checkIssued, readTlsFiles, type TlsFiles } from '#tls';
import { actAsOwner } from './act-as-owner';
import { rolesFile } from './roles-file';

export interface SslCopy {
  readonly certname: string;
  readonly validTo: string;
  readonly files: TlsFiles;
  /** `written` is the content of the roles file if this call has written it. */
  readonly roles: { readonly path: string; readonly written?: string };
}

interface CopyOptions {
  readonly force?: boolean;
  /** Certificate names of the configuration servers. The roles file gives roles to these servers. */
  readonly servers?: readonly string[];
}

/** Only the user of the service may read the key. */
const modes = { cert: 0o644, key: 0o600, ca: 0o644, crl: 0o644 } as const;

/**
 * Checks that the HTTPS files belong together, and copies them into a folder. Reads the files as root, and writes the
 * copies with the rights of the folder's owner. Writes a roles file if the folder has none. Throws faults with `tls.`
 * codes. Throws `cli.ssl-exists` before any change if the folder has other files and `force` is false.
 */
export async function copySslFiles(
  from: TlsFiles,
  folder: string,
  { force = false, servers = [] }: CopyOptions = {},
): Promise<SslCopy> {
  const material = await readTlsFiles(from);
  checkIssued(from, material);
  const copies = await Promise.all(
    (['cert', 'key', 'ca', 'crl'] as const)
      .flatMap((kind) => {
        const source = from[kind];
        return source === undefined ? [] : [{ kind, source, to: join(folder, `${kind}.pem`) }];
      })
      .map(async (copy) => ({ ...copy, content: await readFile(copy.source) })),
  );
  const { subject, validTo } = material.certificate;
  const certname = /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject;
  const path = join(folder, 'roles.yaml');
  const content = rolesFile(servers, certname);
  const isNew = actAsOwner(folder, () => {
    const others = copies.filter(({ to, content }) => contentOf(to)?.equals(content) === false);
    if (others.length > 0 && !force) {
      throw new Fault(
        'conflict',
        'cli.ssl-exists',
        `Other files are there: ${others.map(({ to }) => to).join(', ')}.`,
        {
          hint: 'Replace them with -f, or choose another folder with --target.',
        },
      );
    }
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const { kind, to, content } of copies) replaceFile(to, content, modes[kind]);
    if (existsSync(path)) return false;
    replaceFile(path, content, 0o644);
    return true;
  });
  const files = Object.fromEntries(copies.map(({ kind, to }) => [kind, to])) as unknown as TlsFiles;
  const roles = { path, ...(isNew ? { written: content } : {}) };
  return { certname, validTo: new Date(validTo).toISOString(), files, roles };
}

/**
 * Returns undefined if the file does not exist. Returns an empty buffer if the path is not a regular file, because
 * reading a named pipe or a device may never end.
 */
function contentOf(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file atomically, so that a running service never reads an incomplete file. The new file has its final mode
 * from the start, so that no other user can read the key.
 */
function replaceFile(path: string, content: Buffer | string, mode: number): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, content, { mode, flag: 'wx' });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
