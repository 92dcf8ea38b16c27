/**
 * A folder of documents as a load: `facts`, `catalogs` and `reports`, each with files `*.json` or `*.json.gz` in the wire
 * format of the newest version of their command. An unpacked archive (`puppetdb-bak`) and the output of `nodeledger fleet
 * --out` have this form. What an archive or a query adds to a document (`hash`, `timestamp`, `receive_time`) is left out.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readable, writeCommands } from '../support/corpus.mjs';

const FOLDERS = [
  ['facts', 'replace facts', 5, ['timestamp', 'hash']],
  ['catalogs', 'replace catalog', 9, ['hash']],
  ['reports', 'store report', 8, ['hash', 'receive_time']],
];

/** All documents as one run. The commands of a node: facts, catalogs and reports, each kind from the oldest to the newest. */
export async function prepareDocuments(fleetLib, directory, folder, options) {
  const nodes = new Map();
  const path = join(folder, 'run-0.bin');
  const made = await writeCommands(path, documentsOf(fleetLib, directory, nodes, options));
  if (made.commands.length === 0)
    throw new Error(`${directory} has no documents: it needs facts, catalogs or reports with *.json or *.json.gz`);
  const order = new Map(FOLDERS.map(([, command], index) => [command, index]));
  made.commands.sort(
    (a, b) =>
      a.node - b.node ||
      order.get(a.command) - order.get(b.command) ||
      Date.parse(a.producerTimestamp) - Date.parse(b.producerTimestamp),
  );
  return [await readable(path, { run: 0, ...made })];
}

async function* documentsOf(fleetLib, directory, nodes, { gzip, layout }) {
  for (const [name, command, version, added] of FOLDERS) {
    const files = existsSync(join(directory, name)) ? await readdir(join(directory, name)) : [];
    for (const file of files.filter((one) => /\.json(\.gz)?$/.test(one)).sort()) {
      const read = await readFile(join(directory, name, file));
      const text = (file.endsWith('.gz') ? await promisify(gunzip)(read) : read).toString('utf8');
      const document = JSON.parse(text);
      const { certname, producer_timestamp: producerTimestamp } = document;
      if (typeof certname !== 'string' || typeof producerTimestamp !== 'string')
        throw new Error(`${join(name, file)} has no certname or no producer_timestamp`);
      // A document without changes is sent unchanged, so its numbers keep their spelling.
      const changes = added.some((key) => key in document);
      for (const key of added) delete document[key];
      const sent = changes ? JSON.stringify(document, null, layout === 'pretty' ? 2 : 0) : text;
      if (!nodes.has(certname)) nodes.set(certname, nodes.size);
      const sendable = { command, version, certname, producerTimestamp, text: sent };
      const encoded = fleetLib.encodeCommand(sendable, { gzip });
      yield { node: nodes.get(certname), document: { command, certname, producerTimestamp }, encoded };
    }
  }
}

/** Waits until queries show the newest factset and catalog of every node, and all accepted reports. */
export async function documentsVisible(fleetLib, link, commands, stallSeconds) {
  const of = (command) => commands.filter((one) => one.command === command);
  for (const [entity, sent] of [
    ['factsets', of('replace facts')],
    ['catalogs', of('replace catalog')],
  ]) {
    const newest = new Map();
    for (const { certname, producerTimestamp } of sent) {
      const at = Date.parse(producerTimestamp);
      if (!(newest.get(certname) >= at)) newest.set(certname, at);
    }
    await fleetLib.untilCounted(entity, newest.size, stallSeconds, async () => {
      const rows = await link.ask(entity, ['extract', ['certname', 'producer_timestamp'], ['~', 'certname', '']]);
      return rows.filter((row) => Date.parse(row.producer_timestamp) >= newest.get(row.certname)).length;
    });
  }
  const reports = of('store report');
  if (reports.length === 0) return;
  const times = reports.map(({ producerTimestamp }) => Date.parse(producerTimestamp)).sort((a, b) => a - b);
  const distinct = new Set(reports.map(({ certname, producerTimestamp }) => `${producerTimestamp} ${certname}`)).size;
  const [first, last] = [times[0], times.at(-1)].map((time) => new Date(time).toISOString());
  const within = ['and', ['>=', 'producer_timestamp', first], ['<=', 'producer_timestamp', last]];
  await fleetLib.untilCounted('reports', distinct, stallSeconds, async () => {
    const [{ count }] = await link.ask('reports', ['extract', [['function', 'count']], within]);
    return count;
  });
}
