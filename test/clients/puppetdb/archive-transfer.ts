/** The archive routes, which PuppetDB and the service share. */
import type { AnonymizationProfile } from '../../../libs/archive/anonymize/profiles';
import { askQuery } from '../../support/ask-query';
import { extent } from './extent';
import { until } from '../../support/until';
import { multipart } from '../../support/archives';
import { readArchive, type ReadEntry } from '../../support/read-archive';

export interface Server {
  readonly url: string;
}

/** Without a profile, PuppetDB keeps the names that its profile `none` removes. */
export async function exportArchive({ url }: Server, profile?: AnonymizationProfile): Promise<Buffer> {
  const parameter = profile === undefined ? '' : `?anonymization_profile=${profile}`;
  const answer = await fetch(`${url}/pdb/admin/v1/archive${parameter}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** Resolves when queries show every document of the archive. The server must not have other documents. */
export async function importArchive(server: Server, archive: Buffer): Promise<void> {
  const { body, contentType } = multipart(archive);
  const headers = { 'content-type': contentType };
  const answer = await fetch(`${server.url}/pdb/admin/v1/archive`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  const wanted = documentCounts(await readArchive(archive));
  let found: typeof wanted | undefined;
  const isThere = async (): Promise<boolean> => {
    found = await storedCounts(server);
    return JSON.stringify(found) === JSON.stringify(wanted);
  };
  await until(isThere, { what: 'every document', withinMs: extent.setupMs, everyMs: 300 }).catch((error: unknown) => {
    expect(found).toEqual(wanted);
    throw error;
  });
}

const folders = ['facts', 'catalogs', 'catalog_inputs', 'reports'] as const;
export type DocumentCounts = Readonly<Record<(typeof folders)[number], number>>;

/** The documents of active nodes, because PuppetDB skips inactive nodes of our archives. */
export function documentCounts(entries: readonly ReadEntry[]): DocumentCounts {
  const of = (folder: string): number =>
    entries.filter(({ header }) => header.name.startsWith(`puppetdb-bak/${folder}/`)).length;
  return Object.fromEntries(folders.map((folder) => [folder, of(folder)])) as DocumentCounts;
}

const entityOf = {
  facts: 'factsets',
  catalogs: 'catalogs',
  catalog_inputs: 'catalog-inputs',
  reports: 'reports',
} as const;

/** Returns the documents that queries show. */
export async function storedCounts(server: Server): Promise<DocumentCounts> {
  const counts: [string, number][] = [];
  for (const folder of folders) {
    // Without a condition, the reports of plans are left out.
    const all = folder === 'reports' ? ['~', 'type', ''] : ['~', 'certname', ''];
    counts.push([folder, (await askQuery<unknown[]>(server, entityOf[folder], ['extract', 'certname', all])).length]);
  }
  return Object.fromEntries(counts) as DocumentCounts;
}

/** Removes the deactivated and expired nodes, and shared rows that nothing refers to. */
export async function removeInactive(server: Server): Promise<string[]> {
  const nodes = await askQuery<{ certname: string }[]>(server, 'nodes', ['=', 'node_state', 'inactive']);
  const certnames = nodes.map(({ certname }) => certname);
  for (const certname of certnames) await administer(server, 'delete', { certname });
  await administer(server, 'clean', ['other']);
  return certnames.sort();
}

async function administer({ url }: Server, command: string, payload: unknown): Promise<void> {
  const answer = await fetch(`${url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, version: 1, payload }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
}
