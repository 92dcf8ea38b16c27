/** Phases that read the log: only reading, projecting, and replaying into other tables. */
import { builtPart, maxCommandBytes, openStore } from './stores.mjs';
import { Meter } from './processor-time.mjs';

const sum = (offsets) => [...offsets.values()].reduce((total, offset) => total + offset, 0);
const mostResident = () => process.resourceUsage().maxRSS * 1024;

/** Reads every record of the log once and discards it. */
export async function read({ store, roots }) {
  const { log, close } = await openStore(store);
  try {
    const meter = new Meter(roots);
    meter.begin();
    const { starts, ends } = await log.extent();
    const open = new Map([...ends].filter(([partition, end]) => end > starts.get(partition)));
    const reader = log.reader(new Map([...open.keys()].map((partition) => [partition, starts.get(partition)])));
    let records = 0;
    let bytes = 0;
    while (open.size > 0) {
      for (const { partition, offset, next, payload } of await reader.next({ maxRecords: 500, maxBytes: 4 << 20 })) {
        records += 1;
        bytes += payload.length;
        if ((next ?? offset + 1) >= open.get(partition)) open.delete(partition);
      }
    }
    await reader.close();
    return { records, bytes, ...meter.end(), resident: mostResident() };
  } finally {
    await close();
  }
}

/** Projects the log into empty tables, as the projector of the service does; `firstEnds`: the end of the first load. */
export async function project({ store, roots, firstEnds }) {
  const { Generations } = builtPart(store.dist, 'libs/database/index.js');
  const { Projector, projectionVersion, readTables } = builtPart(store.dist, 'libs/projections/index.js');
  const { db, log, logId, limits, close } = await openStore(store);
  try {
    const { starts } = await log.extent();
    const generation = await new Generations(db).create({
      ddl: readTables,
      projectionVersion,
      log: { logId, starts },
    });
    const meter = new Meter(roots);
    const to = async (until) => {
      meter.begin();
      let records = 0;
      const counted = { onBatch: (more) => (records += more), onDeadLetter: rejected, onRetry: retried };
      const options = { db, log, logId, generation, maxCommandBytes, limits, until, ...counted };
      await new Projector(options).run(new AbortController().signal);
      return { records, ...meter.end(), resident: mostResident() };
    };
    return { first: await to(new Map(firstEnds)), steady: await to(await log.ends()) };
  } finally {
    await close();
  }
}

/**
 * Runs `nodeledger rebuild`: the replay, the comparison with the live tables, and the switch. `threads`: the threads of
 * a long replay.
 */
export async function replay({ store, roots, threads }) {
  const { rebuild } = builtPart(store.dist, 'libs/projections/index.js');
  const { ThreadedReplays } = builtPart(store.dist, 'apps/server/threaded-replays.js');
  const { db, log, logId, limits, task, close } = await openStore(store);
  try {
    const meter = new Meter(roots);
    let replayed;
    const onProgress = ({ step }) => {
      if (step === 'compare') replayed ??= { ...meter.end(), resident: mostResident() };
    };
    meter.begin();
    const signal = new AbortController().signal;
    const context = { db, log, logId, maxCommandBytes, limits, threads: new ThreadedReplays(task, threads), signal };
    const outcome = await rebuild({ ...context, onProgress, onNotice: retried });
    const { records, switched, comparison } = outcome;
    if (!switched || comparison?.counted !== 0) throw new Error('the rebuilt tables are not like the live ones');
    return { replay: { records, ...replayed }, whole: { records, ...meter.end(), resident: mostResident() } };
  } finally {
    await close();
  }
}

/** Runs `nodeledger snapshot`, which keeps every record since `splitAt` in the tail. */
export async function snapshotAt({ store, roots, splitAt }) {
  const { snapshot } = builtPart(store.dist, 'libs/projections/index.js');
  const { db, log, logId, limits, close } = await openStore(store);
  try {
    const meter = new Meter(roots);
    meter.begin();
    const context = { db, log, logId, maxCommandBytes, limits, signal: new AbortController().signal };
    const { kept, removed, tails } = await snapshot(context, { historyMs: Date.now() - splitAt });
    const told = { records: kept + removed, kept, removed, ...meter.end(), resident: mostResident() };
    return { ...told, tail: sum(await log.ends()) - sum(tails) };
  } finally {
    await close();
  }
}

function rejected({ record: { command, certname }, error }) {
  throw new Error(`${command} of ${certname} was rejected: ${error instanceof Error ? error.message : error}`);
}

function retried(what) {
  process.stderr.write(`${what instanceof Error ? what.message : what}\n`);
}
