/**
 * Creates the documents of one size before any server starts, and keeps them in the folder of the run: the fleet, a
 * small fleet for the warm-up, and one for the latencies. Every side gets the same bytes.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepCorpus, openCorpus, prepareCorpus, submitRun } from '../support/corpus.mjs';
import { documentsVisible, prepareDocuments } from './documents.mjs';

const DAY = 86_400_000;

/**
 * Returns `{ plan, fleet, warm, latency, close(), remove() }`. A part has `load(link, run)`, which submits a run and
 * returns `{ sent, visible() }`. Refuses `options` that differ from those of an earlier start in the same folder.
 */
export async function prepare(fleetLib, { out, size, options, say }) {
  const { seed, gzip, layout, warm, steady, steadyNodes } = options;
  const chosen = { seed, gzip, layout, warm, steady, steadyNodes };
  const plan = await planOf(join(out, `plan-${size.label}.json`), chosen);
  const directory = join(out, `documents-${size.label}`);
  const startTime = new Date(plan.startTime);
  const part = async (name, make, visible) => {
    const folder = join(directory, name);
    if (!existsSync(join(folder, 'runs.json'))) {
      const began = performance.now();
      await mkdir(folder, { recursive: true });
      await keepCorpus(folder, await closed(await make(folder)));
      say(`${size.label}, documents of ${name}: made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    return partOf(await openCorpus(folder), visible, options);
  };
  const fleet = (name, nodes, runs, folder = name) => {
    const ownSeed = name === 'fleet' ? seed : `${seed}-${name}`;
    return part(
      folder,
      (folder) =>
        prepareCorpus(fleetLib, {
          ...{ directory: folder, seed: ownSeed, nodes, firstRun: 0, runs, startTime, gzip, layout },
          ...(name === 'fleet' && steadyNodes !== undefined ? { steadyNodes } : {}),
        }),
      (link, sent, { run }) =>
        fleetLib.untilVisible(link, ownSeed, { firstRun: run, runs: 1, startTime }, sent.accepted, {
          stallSeconds: options.stall,
        }),
    );
  };
  const { latencyNodes, rate, seconds, samples } = options;
  // Runs at the even rate, then runs whose reports are followed until they are visible.
  const latencyRuns = 1 + Math.ceil((rate * seconds) / (3 * latencyNodes)) + Math.ceil(samples / latencyNodes);
  const parts = {};
  const close = () => Promise.all(Object.values(parts).map((one) => closed(one.runs)));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    parts.warm = await fleet('warm', warm, warm === 0 ? 0 : 2);
    parts.fleet =
      size.documents === undefined
        ? await fleet('fleet', size.nodes, 1 + steady)
        : await part(
            'fleet',
            (folder) => prepareDocuments(fleetLib, size.documents, folder, options),
            (link, sent) => documentsVisible(fleetLib, link, sent.commands, options.stall),
          );
    if (options.isLatencyMeasured)
      parts.latency = await fleet('latency', latencyNodes, latencyRuns, `latency-${latencyNodes}-${latencyRuns}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { plan, ...parts, close, remove };
}

function partOf(runs, visible, { concurrency }) {
  return {
    runs,
    async load(link, run) {
      const sent = await submitRun(link, run, concurrency);
      return { sent, visible: () => visible(link, sent, run) };
    },
  };
}

async function closed(runs) {
  await Promise.all(runs.map((run) => run.close()));
  return runs;
}

/** Options from the first start in the folder. All sides of a size get the same. */
async function planOf(path, chosen) {
  if (!existsSync(path)) {
    const startTime = new Date(Math.floor(Date.now() / DAY) * DAY - DAY).toISOString();
    await writeFile(path, `${JSON.stringify({ ...chosen, startTime }, null, 2)}\n`);
  }
  const plan = JSON.parse(await readFile(path, 'utf8'));
  const differing = Object.keys(chosen).filter((key) => JSON.stringify(plan[key]) !== JSON.stringify(chosen[key]));
  if (differing.length > 0)
    throw new Error(`${path} was begun with other options: ${differing.join(', ')}. Use them, or another --out`);
  return plan;
}
