/**
 * A service under test loads this file (NODE_OPTIONS=--require). A day of its default settings then lasts TEST_DAY_MS, so
 * that a test can run for many days.
 */
const { isMainThread } = require('node:worker_threads');

const dayMs = Number(process.env.TEST_DAY_MS);
const days = {
  NODELEDGER_REPORT_TTL: 14,
  NODELEDGER_HISTORY: 14,
  NODELEDGER_LOG_HISTORY: 14,
  NODELEDGER_SNAPSHOT_INTERVAL: 7,
  NODELEDGER_GC_INTERVAL: 1 / 24,
};
// Threads get their settings from the main thread.
const { settingTable } = isMainThread ? require('../../dist/libs/config/setting-table.js') : { settingTable: [] };
for (const entry of settingTable) {
  const { [entry.key]: count } = days;
  if (count === undefined) continue;
  const usual = entry.read(entry.fallback);
  if (usual !== count * 86_400_000) throw new Error(`the default of ${entry.key} has changed: ${entry.fallback}`);
  entry.fallback = `${Math.round(count * dayMs)}ms`;
}
