/**
 * Measures how long a server takes to acknowledge commands that arrive at an even rate, and to show one in a query
 * after that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentiles } from './percentiles.mjs';

/** If acknowledgements usually come later than this after they were due, the server cannot handle this rate. */
const BEHIND_MS = 1_000;
const PAUSE_MS = 2;
const LONGEST_MS = 60_000;

/**
 * Returns `{ acknowledged: [one entry for each rate], visible }`. Halves `rate` up to three times until the server can
 * handle it.
 */
export async function measureLatency(link, { latency }, options) {
  const [first, ...rest] = latency.runs;
  await (await latency.load(link, first)).visible();
  const follows = Math.ceil(options.samples / options.latencyNodes);
  const steady = rest.slice(0, rest.length - follows);
  const followed = rest.slice(rest.length - follows);
  const acknowledged = [];
  for (let { rate } = options, tries = 0; tries < 4; tries++, rate /= 2) {
    // Later attempts send the same documents again.
    const measured = await evenly(link, steady, rate, Math.ceil(rate * options.seconds));
    acknowledged.push(measured);
    if (measured.failures === 0 && measured.waited.p50 < BEHIND_MS) break;
  }
  // Submits the last run once more. When all of it is visible, no command is queued before the next measurement.
  await (await latency.load(link, steady.at(-1))).visible();
  return { acknowledged, visible: await visibility(link, followed, options) };
}

/**
 * Sends each command when it is due, whether or not earlier ones were answered. `service`: from sending to the answer.
 * `waited`: from the due time, so a stall of the server counts for every command that it delayed.
 */
async function evenly(link, runs, rate, wanted) {
  const service = [];
  const waited = [];
  const open = [];
  let failures = 0;
  const began = performance.now() + 100;
  const commands = runs.flatMap((run) => run.commands.map((command) => ({ run, command }))).slice(0, wanted);
  for (const [index, { run, command }] of commands.entries()) {
    const body = await run.read(command);
    const due = began + (1000 * index) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    const sent = performance.now();
    open.push(
      link.submit({ path: command.path, headers: command.headers, body }).then(
        () => {
          service.push(performance.now() - sent);
          waited.push(performance.now() - due);
        },
        () => failures++,
      ),
    );
  }
  await Promise.all(open);
  return { rate, commands: commands.length, failures, service: percentiles(service), waited: percentiles(waited) };
}

/** Sends one report at a time, and measures from its acknowledgement until a query shows it. */
async function visibility(link, runs, { samples }) {
  const times = [];
  const reports = runs.flatMap((run) =>
    run.commands.filter(({ command }) => command === 'store report').map((command) => ({ run, command })),
  );
  const ends = performance.now() + LONGEST_MS;
  for (const { run, command } of reports.slice(0, samples)) {
    if (performance.now() > ends) break;
    await link.submit({ path: command.path, headers: command.headers, body: await run.read(command) });
    const acknowledged = performance.now();
    const itself = ['and', ['=', 'certname', command.certname], ['=', 'producer_timestamp', command.producerTimestamp]];
    while ((await link.ask('reports', ['extract', ['certname'], itself])).length === 0) {
      if (performance.now() - acknowledged > LONGEST_MS)
        throw new Error(`a report is not visible after ${LONGEST_MS / 1000} s`);
      await sleep(PAUSE_MS);
    }
    times.push(performance.now() - acknowledged);
  }
  return { samples: times.length, ...percentiles(times) };
}
