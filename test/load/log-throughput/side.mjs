/** Runs all measurements of one log, in order. Each phase starts after the data of earlier phases is on the disk. */
import { join } from 'node:path';
import { untilQuiet } from './processor-time.mjs';
import { runPhase } from './run-phase.mjs';
import { startCommandApi } from './servers.mjs';

/** Returns `{ appends, passes }`, each with one row of figures. `kafka` undefined: the embedded log. */
export async function measureSide({
  dist,
  work,
  postgres,
  kafka,
  corpus,
  partitions,
  longestMs,
  levels,
  part,
  patience,
  profile,
  threads,
  say,
}) {
  const log = kafka === undefined ? 'embedded' : 'kafka';
  const brokers = kafka?.brokers;
  const roots = { postgres: postgres.pid, kafka: kafka?.pid };
  // The usual documents of clients. The first run is different, because its reports are much larger.
  const steady = [1, corpus.runs];
  const common = { dist, list: corpus.list, roots, partitions, brokers, longestMs, runs: steady };
  const appends = [];
  const passes = [];

  const run = async (phase, task) => {
    await postgres.checkpoint();
    patience.ms -= await untilQuiet(patience.ms);
    return runPhase(phase, task, { profile });
  };
  const append = async (how, inFlight, phase, task) => {
    const figures = await run(phase, { ...common, ...task, inFlight });
    appends.push({ log, how, inFlight, ...figures });
    say(`${log}, ${how}, ${inFlight ?? 'batches'}: ${(figures.records / figures.seconds).toFixed(0)} records/s`);
  };
  const pass = (what, figures) => {
    passes.push({ log, what, ...figures });
    say(`${log}, ${what}: ${(figures.records / figures.seconds).toFixed(0)} records/s`);
  };
  const withDatabase = async (name, work) => {
    const database = await postgres.database(name);
    try {
      return await work(database);
    } finally {
      await postgres.drop(name);
    }
  };

  const appending = async () => {
    await withDatabase(`${log}_floor`, async (database) => {
      for (const inFlight of levels) {
        const name = `floor-${inFlight}`;
        if (kafka !== undefined) await append('kafkajs alone', inFlight, 'plainSend', { topic: name });
        // PostgreSQL does not have more connections.
        else if (inFlight <= 16) await append('INSERT alone', inFlight, 'plainInsert', { database });
      }
      if (kafka !== undefined) await append('kafkajs alone', undefined, 'plainBatches', { topic: 'floor-batches' });
      else await append('COPY alone', undefined, 'plainCopy', { database });
    });
    for (const inFlight of levels) {
      await withDatabase(`${log}_port`, async (database) => {
        const store = { dist, database, brokers, topic: `port-${inFlight}`, partitions };
        await append('port', inFlight, 'appendByPort', { store });
      });
    }
    for (const inFlight of levels) {
      await withDatabase(`${log}_http`, async (database) => {
        const directory = join(work, `${log}-http-${inFlight}`);
        const service = await startCommandApi({ ...common, directory, database, topic: `http-${inFlight}` });
        try {
          const { url, pid } = service;
          await append('HTTP', inFlight, 'appendByHttp', { url, roots: { ...roots, service: pid } });
        } finally {
          await service.stop();
        }
      });
    }
  };
  const filling = () =>
    withDatabase(`${log}_tables`, async (database) => {
      const task = { store: { dist, database, brokers, topic: 'tables', partitions }, roots };
      const split = Math.max(1, corpus.runs >> 1);
      const { firstEnds, splitAt, bytes } = await run('fill', { ...task, ...corpus, runs: [0, corpus.runs], split });
      const bytesOf = { first: corpus.bytes[0], steady: bytes - corpus.bytes[0], whole: bytes };
      pass('read', await run('read', task));
      const { first, steady } = await run('project', { ...task, firstEnds });
      pass('project, first load', { ...first, bytes: bytesOf.first });
      pass('project, steady', { ...steady, bytes: bytesOf.steady });
      const { replay, whole } = await run('replay', { ...task, threads });
      pass('replay', { ...replay, bytes: bytesOf.whole });
      pass('– with comparison and switch', { ...whole, bytes: bytesOf.whole });
      pass('snapshot', { ...(await run('snapshotAt', { ...task, splitAt })), bytes: bytesOf.whole });
      const again = await run('read', task);
      pass('read base and tail', again);
      const later = await run('replay', { ...task, threads });
      pass('replay of base and tail', { ...later.replay, bytes: again.bytes });
    });
  if (part !== 'tables') await appending();
  if (part !== 'append') await filling();
  return { appends, passes };
}
