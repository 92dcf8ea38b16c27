/** Submits the documents of a side: measures accepted and processed commands, processor time and memory. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Submits the warm-up fleet, which is not measured, so that no side starts cold. Returns its bytes. */
export async function warmUp(link, { warm }) {
  let bytes = 0;
  let commands = 0;
  for (const run of warm.runs) {
    await (await warm.load(link, run)).visible();
    bytes += run.bytes;
    commands += run.commands.length;
  }
  return { bytes, commands };
}

/** Measures one run, which ends when queries show all of it. */
export async function measureRun(link, watch, part, run, settleSeconds) {
  watch.begin();
  const began = performance.now();
  const { sent, visible } = await part.load(link, run);
  const acceptedAfter = (performance.now() - began) / 1000;
  await visible();
  const visibleAfter = (performance.now() - began) / 1000;
  await sleep(1000 * settleSeconds);
  return {
    phase: run.run === 0 ? 'first load' : `steady ${run.run}`,
    commands: run.commands.length - sent.failures,
    bytes: run.bytes,
    failures: sent.failures,
    ...(sent.firstFailure === undefined ? {} : { firstFailure: sent.firstFailure }),
    acceptedAfter,
    visibleAfter,
    ...watch.end(),
  };
}

/** Combines several runs into one figure. Returns undefined if there are none. */
export function combined(phase, parts) {
  if (parts.length === 0) return undefined;
  const known = (name) => parts.every((part) => part[name] !== undefined);
  const sum = (name) => (known(name) ? parts.reduce((total, part) => total + part[name], 0) : undefined);
  const most = (name) => (known(name) ? Math.max(...parts.map((part) => part[name])) : undefined);
  const summed = ['commands', 'bytes', 'failures', 'acceptedAfter', 'visibleAfter', 'serviceMs', 'postgresMs'];
  return {
    phase,
    ...Object.fromEntries(summed.map((name) => [name, sum(name)])),
    serviceBytes: most('serviceBytes'),
    postgresBytes: most('postgresBytes'),
  };
}
