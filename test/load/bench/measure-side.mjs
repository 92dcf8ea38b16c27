/**
 * Measures one side at one size, from an empty server to the last figure. Returns the measurement that is kept as JSON.
 */
import { cpus, loadavg, totalmem } from 'node:os';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessWatch } from '../support/processes.mjs';
import { copyFloor, liveRows, sqlFloors } from './floors.mjs';
import { measureDisk, withDatabase } from './measure-disk.mjs';
import { measureLatency } from './measure-latency.mjs';
import { measureRun, warmUp } from './measure-load.mjs';
import { measureQueries } from './measure-queries.mjs';

/** Old documents must not be removed while they are measured. The reference has the same settings. */
const KEEP_OLD_DOCUMENTS = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_REPORT_TTL: '20000d' };

export async function measureSide(fleetLib, chosen, prepared, options) {
  const { directory, size, dist, parts, concurrency, settle, querySettle, say, onStart } = options;
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const startedAt = new Date().toISOString();
  const side = await chosen.start(directory, size.documents === undefined ? {} : KEEP_OLD_DOCUMENTS);
  onStart(side.stop);
  const watch = new ProcessWatch({ roots: side.roots, database: side.database });
  const link = new fleetLib.ServerLink({ url: side.url }, { connections: Math.max(concurrency, 32) });
  const measurement = {
    side: { kind: chosen.kind, name: chosen.name, version: undefined },
    size: { label: size.label, ...(size.nodes === undefined ? {} : { nodes: size.nodes }) },
    startedAt,
    machine: {
      processors: cpus().length,
      model: cpus()[0]?.model,
      memory: totalmem(),
      node: process.version,
      loadBefore: loadavg()[0],
    },
    options: prepared?.plan,
    failed: {},
  };
  const tell = (line) => say(`${chosen.name}, ${size.label}: ${line}`);
  // The report names an error of one part, and the following parts are still measured.
  const part = async (name, work) => {
    if (!parts.includes(name)) return;
    try {
      measurement[name] = await work();
      tell(`${name} measured`);
    } catch (error) {
      measurement.failed[name] = error.message;
      tell(`${name} failed: ${error.message}`);
    }
  };
  const inDatabase = (work) => withDatabase(side.databaseUrl, work);
  const isOurs = chosen.kind === 'ours';
  try {
    measurement.side.version = await versionOf(side.url);
    if (prepared !== undefined) {
      measurement.warm = await warmUp(link, prepared);
      measurement.load = [];
      for (const run of prepared.fleet.runs) {
        const figure = await measureRun(link, watch, prepared.fleet, run, settle);
        measurement.load.push(figure);
        tell(`${figure.phase}: ${(figure.commands / figure.visibleAfter).toFixed(1)} commands/s`);
        if (figure.failures > 0) tell(`${figure.failures} commands failed, first: ${figure.firstFailure}`);
        if (isOurs && run.run === 0) figure.rowsStored = await inDatabase(liveRows);
      }
      if (parts.includes('queries')) await sleep(1000 * querySettle);
    }
    if (side.databaseUrl !== undefined) await part('disk', () => inDatabase(measureDisk));
    await part('queries', () => measureQueries(side, watch, { ...options, say: tell }));
    if (isOurs && measurement.queries !== undefined)
      await part('sql', () => inDatabase((client) => sqlFloors(client, dist, measurement.queries)));
    if (prepared !== undefined) {
      watch.begin({ postgresMemory: false });
      await part('latency', () => measureLatency(link, prepared, options));
      measurement.latencyUse = watch.end();
    }
    // Runs last, because it changes caches and statistics in an unusual way.
    if (isOurs) await part('copy', () => inDatabase((client) => copyFloor(client, watch, directory)));
  } finally {
    watch.stop();
    link.close();
    await side.stop();
  }
  return measurement;
}

/** Returns the version that a server of this interface reports. */
async function versionOf(url) {
  const answer = await fetch(new URL('/pdb/meta/v1/version', url));
  return (await answer.json()).version;
}
