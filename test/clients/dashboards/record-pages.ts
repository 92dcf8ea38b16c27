/**
 * Records the pages of dashboards with a reference server (PuppetDB 7.12.1, unencrypted, empty or with the commands of
 * site-commands.ts). PuppetDB takes the number of resources from estimates of PostgreSQL. For the exact number, submit
 * the commands first and run ANALYZE in its database.
 *   node --require ./test/support/run-typescript.cjs test/clients/dashboards/record-pages.ts http://127.0.0.1:8088
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparedTexts, visitBoard } from './board-pages';
import { startPuppetboard } from './puppetboard';
import { pythonWith } from '../../support/python-packages';
import { recordedPerShape, writeRecording } from './recording';
import { siteCommands } from './site-commands';
import { submitAll } from './submit';

async function main(): Promise<void> {
  const { hostname, port, origin } = new URL(process.argv[2] ?? '');
  const nodes = (await (await fetch(`${origin}/pdb/query/v4/nodes`)).json()) as unknown[];
  if (nodes.length === 0) await submitAll(origin, siteCommands());
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-board-'));
  const settings = { PUPPETDB_HOST: hostname, PUPPETDB_PORT: Number(port), UNRESPONSIVE_HOURS: 1_000_000 };
  const board = await startPuppetboard({
    python: await pythonWith(join(__dirname, 'requirements.txt')),
    folder,
    settings,
  });
  try {
    const pages = await visitBoard(board.url, recordedPerShape);
    for (const { path, status } of pages) if (status !== 200) console.error(`${status} ${path}`);
    writeRecording(comparedTexts(pages));
    console.log(`${pages.length} pages`);
  } finally {
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
