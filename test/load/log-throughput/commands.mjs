/** The commands of the fleet as they are sent, kept in files that are created before any measurement. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareCorpus } from '../support/corpus.mjs';

/** Creates the commands of `runs` runs and returns the name of their list for `readCommands`. */
export async function writeCommands(fleetLib, { directory, seed, nodes, runs, startTime }) {
  const prepared = await prepareCorpus(fleetLib, {
    directory,
    seed,
    nodes,
    firstRun: 0,
    runs,
    startTime,
    gzip: true,
    layout: 'pretty',
  });
  const list = join(directory, 'commands.json');
  const told = prepared.map(({ run, bytes, commands }) => ({
    run,
    bytes,
    file: join(directory, `run-${run}.gz.bin`),
    commands,
  }));
  await writeFile(list, JSON.stringify(told));
  for (const { close } of prepared) await close();
  return { list, bytes: told.map(({ bytes }) => bytes) };
}

/** Returns the commands of some runs with their bytes, in the order in which they are submitted. */
export async function readCommands(list, from, to) {
  const runs = JSON.parse(await readFile(list, 'utf8')).filter(({ run }) => run >= from && run < to);
  const read = [];
  for (const { file, commands } of runs) {
    const bytes = await readFile(file);
    for (const { offset, length, ...rest } of commands) {
      const asked = new URL(rest.path, 'http://localhost').searchParams;
      read.push({ ...rest, asked, body: bytes.subarray(offset, offset + length) });
    }
  }
  return read;
}

/** Returns the record that the write side appends to the log. */
export function recordOf({ command, asked, body }) {
  return {
    uuid: randomUUID(),
    command,
    version: Number(asked.get('version')),
    certname: asked.get('certname'),
    receivedAt: Date.now(),
    encoding: 'gzip',
    payload: body,
    headers: { 'producer-timestamp': asked.get('producer-timestamp') },
  };
}
