import { createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Makes the commands of a fleet's runs as they go over the line and keeps them in one file a run, so that no generating and
 * no compressing competes with the server that is measured. Gives one entry a run: `{ run, commands, read(command) }`.
 */
export async function prepareCorpus(fleetLib, { directory, seed, nodes, firstRun, runs, startTime, gzip, layout }) {
  await mkdir(directory, { recursive: true });
  const fleet = new fleetLib.Fleet(seed, layout);
  const prepared = [];
  for (let run = firstRun; run < firstRun + runs; run++) {
    const path = join(directory, `run-${run}${gzip ? '.gz' : ''}.bin`);
    const file = createWriteStream(path);
    const commands = [];
    let offset = 0;
    for (let node = 0; node < nodes; node++) {
      const documents = fleet.run(node, run, { startTime });
      for (const document of [documents.facts, documents.catalog, documents.report]) {
        const { body, ...rest } = await fleetLib.encodeCommand(document, { gzip });
        commands.push({ ...rest, node, command: document.command, offset, length: body.length });
        offset += body.length;
        if (!file.write(body)) await once(file, 'drain');
      }
    }
    file.end();
    await once(file, 'close');
    const handle = await open(path, 'r');
    prepared.push({
      run,
      bytes: offset,
      commands,
      read: async ({ offset: from, length }) => (await handle.read(Buffer.allocUnsafe(length), 0, length, from)).buffer,
      close: () => handle.close(),
    });
  }
  return prepared;
}

/** Submits one prepared run, several machines at a time, each machine's commands in order. Gives counts and the first failure. */
export async function submitRun(link, prepared, concurrency) {
  const byNode = [];
  for (const command of prepared.commands) (byNode[command.node] ??= []).push(command);
  const result = { accepted: { factsets: 0, catalogs: 0, reports: 0 }, failures: 0, firstFailure: undefined };
  const kinds = { 'replace facts': 'factsets', 'replace catalog': 'catalogs', 'store report': 'reports' };
  let next = 0;
  const serve = async () => {
    while (next < byNode.length) {
      for (const command of byNode[next++]) {
        try {
          await link.submit({ path: command.path, headers: command.headers, body: await prepared.read(command) });
          result.accepted[kinds[command.command]]++;
        } catch (error) {
          result.failures++;
          result.firstFailure ??= error.message || error.code;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, serve));
  return result;
}
