/**
 * Keeps `inFlight` requests running until the commands or the time are used up. The commands of a node wait for each
 * other, as with a real agent; that wait is not part of a latency.
 */
export async function submitAll(commands, { inFlight, send, longestMs = Infinity }) {
  const latencies = [];
  const last = new Map();
  const until = performance.now() + longestMs;
  let bytes = 0;
  let next = 0;
  const submit = async () => {
    while (next < commands.length && performance.now() < until) {
      const command = commands[next++];
      const before = last.get(command.node);
      const sent = (async () => {
        await before;
        const began = performance.now();
        await send(command);
        latencies.push(performance.now() - began);
        bytes += command.body.length;
      })();
      last.set(command.node, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, submit));
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))];
  return { records: latencies.length, bytes, p50: at(0.5), p99: at(0.99), most: latencies.at(-1) };
}

/** `submitAll` with processor time. Some commands are sent before the measurement, so that it does not start cold. */
export async function measured(meter, commands, options) {
  const warm = Math.min(100, Math.floor(commands.length / 4));
  await submitAll(commands.slice(0, warm), { ...options, longestMs: 3_000 });
  meter.begin();
  const told = await submitAll(commands.slice(warm), options);
  return { ...told, ...meter.end() };
}
