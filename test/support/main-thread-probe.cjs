/**
 * Loaded by a service under test (NODE_OPTIONS=--require). Each millisecond, reads the processor time of the main thread
 * (Linux). On SIGUSR2, prints the longest time between two readings since the last SIGUSR2.
 */
const { readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = `/proc/self/task/${process.pid}/schedstat`;
const busyMs = () => Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6;

if (isMainThread) {
  let last = busyMs();
  let longest = 0;
  const measure = () => {
    const now = busyMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(measure, 1).unref();
  process.on('SIGUSR2', () => {
    measure();
    process.stderr.write(`main thread: ${longest.toFixed(1)} ms\n`);
    longest = 0;
  });
}
