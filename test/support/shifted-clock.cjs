/**
 * A service under test loads this file (NODE_OPTIONS=--require). Its clock is then TEST_CLOCK_AHEAD_MS ahead of the
 * machine's, until it gets SIGUSR2.
 */
const { isMainThread } = require('node:worker_threads');

const trueTime = Date.now;
let aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS);
Date.now = () => trueTime() + aheadMs;
if (isMainThread) process.on('SIGUSR2', () => (aheadMs = 0));
