/** Opens the database of a phase, and the log in it or on Kafka. */
import { builtPart } from '../support/arguments.mjs';

export { builtPart };

/** Largest command with default settings, inflated. */
export const maxCommandBytes = 20_000_000;
const maxPayloadBytes = 21_000_000;

/** Returns `{ db, log, logId, limits, task, close }`; `task` is for threads, and `topic` is used only with brokers. */
export async function openStore({ dist, database, brokers, topic, partitions }) {
  const { Database, migrateControlTables } = builtPart(dist, 'libs/database/index.js');
  const { logAt } = builtPart(dist, 'apps/server/log-location.js');
  await migrateControlTables(database);
  const db = new Database({ connectionString: database, max: 10 });
  const kafka = brokers === undefined ? undefined : { brokers, topic, maxPayloadBytes };
  const place = { partitions, ...(kafka && { kafka }) };
  const log = logAt(place, db);
  const close = async () => {
    await log.close();
    await db.close();
  };
  try {
    const { logId } = await log.open();
    const { defaultLimits: limits } = builtPart(dist, 'libs/limits/index.js');
    const task = { connectionString: database, log: place, logId, maxCommandBytes, limits, factsBlocklist: [] };
    return { db, log, logId, limits, task, close };
  } catch (error) {
    await close();
    throw error;
  }
}
