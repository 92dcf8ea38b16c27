import { type Settings, volatileFactsOf } from '#config';
import { type Database, Generations } from '#database';
import { projectionVersion, readVolatileNames } from '#projections';
import type { Finding } from './finding';

const check = 'volatile facts';

/** Warns if the volatile facts of the live tables differ from the settings. */
export async function checkVolatileFacts(settings: Readonly<Settings>, db: Database): Promise<Finding[]> {
  const live = await new Generations(db).live();
  if (live?.projectionVersion !== projectionVersion) return [];
  const stored = new Set(await readVolatileNames(db, live.schema));
  const wanted = new Set(volatileFactsOf(settings));
  const missing = [...wanted].filter((name) => !stored.has(name));
  const others = [...stored].filter((name) => !wanted.has(name));
  if (missing.length + others.length === 0)
    return [{ check, level: 'ok', text: 'The tables have the volatile facts of the settings.' }];
  const parts = [
    ...(missing.length > 0 ? [`${missing.join(', ')} will be volatile`] : []),
    ...(others.length > 0 ? [`${others.join(', ')} will no longer be volatile`] : []),
  ];
  return [
    {
      check,
      level: 'warning',
      text: `After the next rebuild, ${parts.join(', and ')}: NODELEDGER_VOLATILE_FACTS differs from what the tables were made with.`,
      remedy: 'Run `nodeledger rebuild`, or use the earlier value of NODELEDGER_VOLATILE_FACTS.',
    },
  ];
}
