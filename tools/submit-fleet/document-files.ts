import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FleetDocument } from '#fleet';

const compress = promisify(gzip);

const FOLDERS = { 'replace facts': 'facts', 'replace catalog': 'catalogs', 'store report': 'reports' } as const;

export async function writeDocument(
  directory: string,
  document: FleetDocument,
  run: number,
  options: { readonly gzip: boolean },
): Promise<void> {
  const name = `${document.certname}-${String(run).padStart(4, '0')}.json${options.gzip ? '.gz' : ''}`;
  const path = join(directory, FOLDERS[document.command], name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, options.gzip ? await compress(document.text) : document.text);
}
