import { RawJson } from './json-writer';
import type { Json, JsonWriter } from './json-writer';
import type { Random } from './random';
import type { ReportedResource } from './report-events';
import type { FleetResource } from './resource';
import type { RunIdentity } from './run';
import { wordsIn } from './word-table';

const PHASES = wordsIn(`
  catalog_application config_retrieval convert_catalog fact_generation filebucket node_retrieval plugin_sync
  startup_time transaction_evaluation`);

export function reportMetrics(
  random: Random,
  resources: readonly FleetResource[],
  reported: readonly ReportedResource[],
  identity: RunIdentity,
  writer: JsonWriter,
): RawJson {
  const texts: string[] = [];
  const add = (category: string, name: string, value: Json): void => {
    texts.push(writer.value({ name, value, category }, 1));
  };
  const events = reported.flatMap((one) => one.events);
  const withStatus = (status: string): number => events.filter((event) => event.status === status).length;
  const changed = reported.filter((one) => one.events.some((event) => event.status === 'success')).length;

  add('resources', 'changed', changed);
  add('resources', 'corrective_change', reported.filter((one) => one.events.some((event) => event.corrective)).length);
  add('resources', 'failed', reported.filter((one) => one.events.some((event) => event.status === 'failure')).length);
  add('resources', 'failed_to_restart', 0);
  add('resources', 'out_of_sync', reported.filter((one) => one.events.length > 0).length);
  add('resources', 'restarted', changed > 20 ? random.between(1, 6) : 0);
  add('resources', 'scheduled', 0);
  add('resources', 'skipped', reported.filter((one) => one.skipped).length);
  add('resources', 'total', resources.length);
  for (const type of new Set(resources.map((resource) => resource.type))) {
    add('time', type.toLowerCase(), random.fraction() * random.fraction() * 2.5);
  }
  for (const phase of PHASES) add('time', phase, random.fraction() * 6);
  add('time', 'total', identity.duration);
  add('changes', 'total', withStatus('success'));
  add('events', 'failure', withStatus('failure'));
  add('events', 'noop', withStatus('noop'));
  add('events', 'success', withStatus('success'));
  add('events', 'total', events.length);
  return new RawJson(writer.array(texts));
}
