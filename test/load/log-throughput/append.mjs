/** Phases that append: through the interface of the log, over HTTP, and for the tables that are measured afterwards. */
import { builtPart, openStore } from './stores.mjs';
import { readCommands, recordOf } from './commands.mjs';
import { Meter } from './processor-time.mjs';
import { measured, submitAll } from './submitters.mjs';

export async function appendByPort({ store, list, runs, roots, inFlight, longestMs }) {
  const commands = await readCommands(list, ...runs);
  const { log, close } = await openStore(store);
  try {
    const send = (command) => log.append(recordOf(command));
    return await measured(new Meter(roots), commands, { inFlight, send, longestMs });
  } finally {
    await close();
  }
}

export async function appendByHttp({ dist, url, list, runs, roots, inFlight, longestMs }) {
  const { ServerLink } = builtPart(dist, 'tools/submit-fleet/server-link.js');
  const commands = await readCommands(list, ...runs);
  const link = new ServerLink({ url }, { connections: inFlight });
  try {
    const send = (command) => link.submit(command);
    return await measured(new Meter(roots), commands, { inFlight, send, longestMs });
  } finally {
    link.close();
  }
}

/**
 * Appends the runs to the log. Returns its ends after the first run, and the time (epoch milliseconds) at which the run
 * `split` began.
 */
export async function fill({ store, list, runs: [from, to], split }) {
  const { log, close } = await openStore(store);
  const told = { records: 0, bytes: 0 };
  try {
    for (let run = from; run < to; run++) {
      const commands = await readCommands(list, run, run + 1);
      if (run === split) {
        // Earlier records must be older for both clocks, that of this machine and that of the broker.
        await new Promise((resolve) => setTimeout(resolve, 50));
        told.splitAt = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const { records, bytes } = await submitAll(commands, {
        inFlight: 200,
        send: (command) => log.append(recordOf(command)),
      });
      told.records += records;
      told.bytes += bytes;
      if (run === from) told.firstEnds = [...(await log.ends())];
    }
    return told;
  } finally {
    await close();
  }
}
