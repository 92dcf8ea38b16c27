import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { basename, join } from 'node:path';

/** Number of documents that are compressed while the next ones are created. */
const ahead = 6;

/**
 * Creates the commands of a fleet's runs in the form in which they are sent, and keeps them in one file for each run,
 * so that generating and compressing do not compete with the measured server. Returns one entry for each run: `{ run,
 * bytes, commands, read(command) }`. `steadyNodes`: the number of nodes that send the runs after run 0.
 */
export async function prepareCorpus(
  fleetLib,
  { directory, seed, nodes, firstRun, runs, startTime, gzip, layout, steadyNodes = nodes },
) {
  await mkdir(directory, { recursive: true });
  const fleet = new fleetLib.Fleet(seed, layout);
  const prepared = [];
  for (let run = firstRun; run < firstRun + runs; run++) {
    const path = join(directory, `run-${run}${gzip ? '.gz' : ''}.bin`);
    const senders = run === 0 ? nodes : Math.min(nodes, steadyNodes);
    const made = await writeCommands(path, fleetCommands(fleetLib, fleet, { run, senders, startTime, gzip }));
    prepared.push(await readable(path, { run, ...made }));
  }
  return prepared;
}

function* fleetCommands(fleetLib, fleet, { run, senders, startTime, gzip }) {
  for (let node = 0; node < senders; node++) {
    const documents = fleet.run(node, run, { startTime });
    for (const document of [documents.facts, documents.catalog, documents.report])
      yield { node, document, encoded: fleetLib.encodeCommand(document, { gzip }) };
  }
}

/**
 * Writes bodies one after the other into a file. Returns the commands without their bodies, and the number of bytes.
 */
export async function writeCommands(path, source) {
  const file = createWriteStream(path);
  const commands = [];
  const waiting = [];
  let bytes = 0;
  const writeNext = async () => {
    const { node, document, encoded } = waiting.shift();
    const { body, ...rest } = await encoded;
    const { command, certname, producerTimestamp } = document;
    commands.push({ ...rest, node, command, certname, producerTimestamp, offset: bytes, length: body.length });
    bytes += body.length;
    if (!file.write(body)) await once(file, 'drain');
  };
  for await (const next of source) {
    waiting.push(next);
    if (waiting.length >= ahead) await writeNext();
  }
  while (waiting.length > 0) await writeNext();
  file.end();
  await once(file, 'close');
  return { bytes, commands };
}

/** A run with its bodies in a file. */
export async function readable(path, { run, bytes, commands }) {
  const handle = await open(path, 'r');
  return {
    run,
    path,
    bytes,
    commands,
    read: async ({ offset: from, length }) => (await handle.read(Buffer.allocUnsafe(length), 0, length, from)).buffer,
    close: () => handle.close(),
  };
}

/** Keeps the prepared runs for a later process, which opens them with `openCorpus`. */
export async function keepCorpus(directory, prepared) {
  const list = prepared.map(({ run, path, bytes, commands }) => ({ run, file: basename(path), bytes, commands }));
  await writeFile(join(directory, 'runs.json'), JSON.stringify(list));
}

export async function openCorpus(directory) {
  const list = JSON.parse(await readFile(join(directory, 'runs.json'), 'utf8'));
  return Promise.all(list.map(({ file, ...rest }) => readable(join(directory, file), rest)));
}

const kinds = { 'replace facts': 'factsets', 'replace catalog': 'catalogs', 'store report': 'reports' };

/**
 * Submits one prepared run, several machines at a time, the commands of each machine in order. Returns the accepted
 * commands, their counts, and the first failure.
 */
export async function submitRun(link, prepared, concurrency) {
  const byNode = [];
  for (const command of prepared.commands) (byNode[command.node] ??= []).push(command);
  const result = { accepted: { factsets: 0, catalogs: 0, reports: 0 }, commands: [], failures: 0 };
  let next = 0;
  const serve = async () => {
    while (next < byNode.length) {
      for (const command of byNode[next++] ?? []) {
        try {
          await link.submit({ path: command.path, headers: command.headers, body: await prepared.read(command) });
          result.accepted[kinds[command.command]]++;
          result.commands.push(command);
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
