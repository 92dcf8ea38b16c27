import type { NodeCatalog } from './catalog';
import { RawJson } from './json-writer';
import type { JsonWriter } from './json-writer';
import type { FleetNode } from './node';
import { changedVersions } from './package-update';
import { Random } from './random';
import { resourceEvents } from './report-events';
import type { FleetEvent, ReportedResource } from './report-events';
import { chatter, closingLog, compilationLogs, containmentOf, eventLogs, openingLogs } from './report-logs';
import type { FleetLog } from './report-logs';
import { reportMetrics } from './report-metrics';
import type { FleetResource } from './resource';
import type { RoleCatalog } from './role-catalog';
import type { RunIdentity } from './run';
import { iso } from './run';
import type { RunOutcome } from './run-outcome';

export function reportText(
  seed: string,
  node: FleetNode,
  run: number,
  outcome: RunOutcome,
  catalog: NodeCatalog,
  shared: RoleCatalog,
  identity: RunIdentity,
  writer: JsonWriter,
): string {
  const random = Random.of(seed, 'report', node.index, run);
  const hasCatalog = outcome !== 'uncompiled';
  const reported = reportedResources(random, node, outcome, catalog, identity);
  const paths = reported.map((one) => containmentOf(one, shared.classPaths));
  const statuses = new Set(reported.flatMap((one) => one.events.map((event) => event.status)));
  const logs = logsOf(random, node, outcome, reported, paths, identity);
  return writer.value(
    {
      certname: node.certname,
      puppet_version: node.index % 5 === 0 ? '7.34.0' : '8.10.0',
      report_format: 12,
      configuration_version: hasCatalog ? identity.configurationVersion : '',
      start_time: identity.startTime,
      end_time: identity.endTime,
      producer_timestamp: identity.reportTime,
      producer: node.producer,
      environment: node.environment,
      transaction_uuid: identity.transactionUuid,
      catalog_uuid: hasCatalog ? identity.catalogUuid : null,
      code_id: hasCatalog ? identity.codeId : null,
      job_id: identity.jobId,
      cached_catalog_status: 'not_used',
      status: statuses.has('failure') || !hasCatalog ? 'failed' : statuses.has('success') ? 'changed' : 'unchanged',
      noop: node.noop,
      noop_pending: statuses.has('noop'),
      corrective_change: outcome === 'corrected',
      resources: new RawJson(writer.array(reported.map((one, i) => statusText(one, paths[i] ?? [], writer)))),
      logs: new RawJson(writer.array(logs.map((log) => writer.value({ ...log }, 1)))),
      metrics: reportMetrics(random, hasCatalog ? catalog.resources : [], reported, identity, writer),
    },
    0,
  );
}

function logsOf(
  random: Random,
  node: FleetNode,
  outcome: RunOutcome,
  reported: readonly ReportedResource[],
  paths: readonly string[][],
  identity: RunIdentity,
): FleetLog[] {
  if (outcome === 'uncompiled') return compilationLogs(node, identity);
  if (outcome === 'quiet') return [closingLog(identity)];
  if (outcome === 'chatty') return [...chatter(random, identity), closingLog(identity)];
  return [
    ...openingLogs(node, identity),
    ...reported.flatMap((one, i) => eventLogs(one, paths[i] ?? [])),
    closingLog(identity),
  ];
}

function reportedResources(
  random: Random,
  node: FleetNode,
  outcome: RunOutcome,
  catalog: NodeCatalog,
  identity: RunIdentity,
): ReportedResource[] {
  if (changesNothing(outcome)) return [];
  const chosen = chosenResources(random, outcome, catalog);
  const span = identity.duration * 1000;
  const failures = outcome === 'failed' ? random.between(1, 3) : outcome === 'broken' ? 1 : 0;
  const skips = outcome === 'failed' ? random.between(2, 12) : outcome === 'broken' ? dependents(catalog).length : 0;
  return chosen.map((resource, i): ReportedResource => {
    const time = identity.startedAt + Math.floor((span * (i + 1)) / (chosen.length + 2));
    const fromEnd = chosen.length - 1 - i;
    if (fromEnd < skips) return { resource, skipped: true, events: [], time };
    const status: FleetEvent['status'] =
      outcome === 'noop' ? 'noop' : fromEnd < skips + failures ? 'failure' : 'success';
    const creates = outcome === 'first' || (resource.file.endsWith('machine.pp') && resource.line >= 300);
    return {
      resource,
      skipped: false,
      time,
      events: resourceEvents(random, resource, status, {
        creates,
        corrective: outcome === 'corrected',
        time,
        versions: changedVersions(node, resource),
      }),
    };
  });
}

function chosenResources(random: Random, outcome: RunOutcome, catalog: NodeCatalog): FleetResource[] {
  const count = { first: [435, 490], changed: [35, 42], failed: [18, 42], noop: [4, 40], corrected: [2, 12] } as const;
  if (changesNothing(outcome)) return [];
  if (outcome === 'broken') {
    return [...new Set([...catalog.touched, brokenService(catalog), ...dependents(catalog)])];
  }
  const [low, high] = count[outcome];
  const touched = new Set(catalog.touched);
  const others = catalog.resources.filter((one) => one.type !== 'Class' && one.type !== 'Stage' && !touched.has(one));
  return [...touched, ...random.sample(others, random.between(low, high) - touched.size)];
}

type IdleOutcome = 'quiet' | 'chatty' | 'uncompiled';

function changesNothing(outcome: RunOutcome): outcome is IdleOutcome {
  return outcome === 'quiet' || outcome === 'chatty' || outcome === 'uncompiled';
}

/** Every catalog contains this service. */
const BROKEN_SERVICE = 'telegraf';

function brokenService({ resources }: NodeCatalog): FleetResource {
  return resources.find(({ type, title }) => type === 'Service' && title === BROKEN_SERVICE) as FleetResource;
}

function dependents(catalog: NodeCatalog): FleetResource[] {
  const { container } = brokenService(catalog);
  return catalog.resources.filter((one) => one.type === 'Exec' && one.container === container);
}

function statusText(reported: ReportedResource, containment: readonly string[], writer: JsonWriter): string {
  const { resource, skipped, events, time } = reported;
  return writer.value(
    {
      resource_type: resource.type,
      resource_title: resource.title,
      timestamp: iso(time),
      skipped,
      file: resource.file,
      line: resource.line,
      containment_path: containment,
      corrective_change: events.some((event) => event.corrective),
      events: events.map((event) => ({
        status: event.status,
        timestamp: iso(event.time),
        property: event.property,
        name: event.property,
        old_value: event.oldValue,
        new_value: event.newValue,
        message: event.message,
        corrective_change: event.corrective,
      })),
    },
    1,
  );
}
