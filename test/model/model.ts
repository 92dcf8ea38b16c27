/**
 * Computes the content of the read tables after a list of commands in log order: slow, simple, and written from the
 * rules of the interface alone. It shares no code with the projection; only identities (hashes) come from the readers
 * of the wire formats.
 */
import { partitionOf } from '#log';
import { readCommand, type WireAgeLimits } from '#wire';
import type { Document, Json, Submission } from './steps';

export interface Place {
  readonly partition: number;
  readonly offset: number;
}

/** The rows of one node, in the form of `storedNode`. */
export interface NodeView {
  readonly node: Record<string, Json>;
  readonly factset: Json;
  readonly facts: Record<string, Json>;
  readonly leaves: Json[];
  readonly packages: Json[];
  readonly inputs: Json;
  readonly catalog: Json;
  readonly resources: Json[];
  readonly edges: Json[];
  readonly latestReport: Json;
  readonly reports: Record<string, Json>;
  readonly events: Record<string, Json[]>;
  readonly counts: Record<string, Json>;
}

interface Received {
  readonly document: Document;
  readonly time: string;
  readonly receivedAt: string;
  readonly hash: string;
  readonly place: Place;
}

interface NodeHistory {
  readonly certname: string;
  deactivated: string | null;
  /** When the node was found silent, and the time since which it was silent. */
  expired: { readonly time: string; readonly cutoff: string } | null;
  /** The time of the last deactivation, expiry or expiration setting that counted. */
  life?: Place;
  facts?: Received;
  catalog?: Received;
  latest?: Received;
  inputs?: Received;
  expiration?: Received;
  /** By hash, as first received. */
  readonly reports: Map<string, Received>;
  /** Hashes of the reports whose events were removed. */
  readonly bare: Set<string>;
}

const iso = (time: Json | undefined): string => new Date(time as string | number).toISOString();
const text = (value: Json): string => JSON.stringify(value);
const sorted = (values: Json[]): Json[] =>
  [...new Map(values.map((value) => [text(value), value])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

export class Model {
  readonly nodes = new Map<string, NodeHistory>();
  deadLetters = 0;

  /** Applies the next command of the log. `receivedAt`: epoch milliseconds. */
  apply(submission: Submission, receivedAt: number, place: Place): void {
    const { document, command, certname } = submission;
    if (document === undefined) {
      this.deadLetters++;
      return;
    }
    if (command === 'replace catalog inputs' && (document['inputs'] as Json[]).length === 0) return;
    if (command === 'apply age limits') {
      const limits = readCommand(submission, Buffer.from(submission.payload));
      return this.limit(limits as WireAgeLimits, place);
    }
    const unseen: NodeHistory = { certname, deactivated: null, expired: null, reports: new Map(), bare: new Set() };
    const node = this.nodes.get(certname) ?? unseen;
    this.nodes.set(certname, node);
    const received = iso(receivedAt);
    const one: Received = {
      document,
      time: document['producer_timestamp'] === undefined ? received : iso(document['producer_timestamp']),
      receivedAt: received,
      hash: hashOf(submission),
      place,
    };
    if (command === 'deactivate node') return deactivate(node, one);
    wake(node, one.time);
    switch (command) {
      case 'replace facts':
        if (!node.facts || one.time >= node.facts.time) node.facts = one;
        return;
      case 'replace catalog':
        if (!node.catalog || one.time >= node.catalog.time) node.catalog = one;
        return;
      case 'replace catalog inputs':
        if (!node.inputs || one.time > node.inputs.time) node.inputs = one;
        return;
      case 'configure expiration':
        if (node.expiration && one.time <= node.expiration.time) return;
        node.expiration = one;
        node.life = place;
        return;
      case 'store report':
        return storeReport(node, one);
      default:
        throw new Error(`the model does not know ${command}`);
    }
  }

  /** Applies age limits to the nodes of their partitions. */
  limit({ nodes, expiry, purge, reportsBefore, eventsBefore }: WireAgeLimits, place: Place): void {
    for (const node of [...this.nodes.values()]) {
      if (nodes.some(({ partition, partitions }) => partitionOf(node.certname, partitions) !== partition)) continue;
      if (expiry !== null) expire(node, { expired: expiry.expired, cutoff: expiry.cutoff }, place);
      const since = [node.deactivated, node.expired?.time ?? null].filter((time) => time !== null);
      if (purge !== null && since.some((time) => time < purge.cutoff)) {
        this.nodes.delete(node.certname);
        continue;
      }
      if (reportsBefore !== null) forgetReports(node, reportsBefore, place);
      for (const report of node.reports.values()) {
        if (eventsBefore !== null && report.time < eventsBefore) node.bare.add(report.hash);
      }
    }
  }

  view(certname: string): NodeView | undefined {
    const node = this.nodes.get(certname);
    return node && viewOf(node);
  }
}

/** A document reactivates the node if it is newer than the deactivation and not older than the cutoff of an expiry. */
function wake(node: NodeHistory, time: string): void {
  const afterDeactivation = node.deactivated === null || time > node.deactivated;
  const notSilent = node.expired === null || time >= node.expired.cutoff;
  if (!afterDeactivation || !notSilent) return;
  node.deactivated = null;
  node.expired = null;
}

/** Expires an active node that may expire and has sent nothing since the cutoff. */
function expire(node: NodeHistory | undefined, document: Document, place: Place): void {
  if (node === undefined || node.deactivated !== null || node.expired !== null) return;
  if (node.expiration !== undefined && !expiresFacts(node.expiration)) return;
  const cutoff = iso(document['cutoff']);
  const heard = [node.facts, node.catalog, node.latest, node.inputs, node.expiration];
  if (heard.some((one) => one !== undefined && one.time >= cutoff)) return;
  node.expired = { time: iso(document['expired']), cutoff };
  node.life = place;
}

const expiresFacts = ({ document }: Received): boolean => (document['expire'] as { facts: boolean }).facts;

function deactivate(node: NodeHistory, { time, place }: Received): void {
  if ([node.facts, node.catalog, node.latest].some((known) => known !== undefined && known.time > time)) return;
  if (node.deactivated !== null && node.deactivated >= time) return;
  node.deactivated = time;
  node.life = place;
}

function forgetReports(node: NodeHistory, before: string, place: Place): void {
  for (const { hash, time } of [...node.reports.values()]) {
    if (time >= before) continue;
    node.reports.delete(hash);
    node.bare.delete(hash);
  }
  if (node.latest !== undefined && node.latest.time < before) delete node.latest;
  const { facts, catalog, inputs, reports } = node;
  // Removes the node if nothing else refers to it.
  if (!facts && !catalog && !inputs && reports.size === 0) node.life ??= place;
}

function storeReport(node: NodeHistory, one: Received): void {
  if (node.reports.has(one.hash)) return;
  node.reports.set(one.hash, one);
  if (one.document['type'] === 'plan') return;
  if (!node.latest || one.time > node.latest.time) node.latest = one;
}

function hashOf(submission: Submission): string {
  const read = readCommand(submission, Buffer.from(submission.payload));
  if (read.kind === 'facts' || read.kind === 'report') return read.hash;
  return read.kind === 'catalog' ? (read.content?.hash ?? '') : '';
}

const from = (received: Received | undefined, field: string): Json => received?.document[field] ?? null;
const at = ({ place }: Received): Json => ({ log_partition: place.partition, log_offset: place.offset });

function viewOf(node: NodeHistory): NodeView {
  const { facts, catalog, latest, inputs, expiration, reports, bare } = node;
  const full = [...reports].filter(([hash]) => !bare.has(hash));
  const factValues = (facts?.document['values'] ?? {}) as Record<string, Json>;
  return {
    node: {
      certname: node.certname,
      deactivated: node.deactivated,
      expired: node.expired?.time ?? null,
      expired_cutoff: node.expired?.cutoff ?? null,
      catalog_timestamp: catalog?.receivedAt ?? null,
      facts_timestamp: facts?.receivedAt ?? null,
      report_timestamp: latest ? iso(latest.document['end_time']) : null,
      catalog_environment: from(catalog, 'environment'),
      facts_environment: from(facts, 'environment'),
      report_environment: from(latest, 'environment'),
      latest_report_status: from(latest, 'status'),
      latest_report_noop: from(latest, 'noop'),
      latest_report_noop_pending: from(latest, 'noop_pending'),
      latest_report_corrective_change: from(latest, 'corrective_change'),
      latest_report_hash: latest?.hash ?? null,
      latest_report_job_id: from(latest, 'job_id'),
      cached_catalog_status: from(latest, 'cached_catalog_status'),
      expires_facts: expiration ? expiresFacts(expiration) : true,
      expires_facts_updated: expiration?.time ?? null,
      log_partition: node.life?.partition ?? null,
      log_offset: node.life?.offset ?? null,
      catalog_producer_timestamp: catalog?.time ?? null,
      facts_producer_timestamp: facts?.time ?? null,
      report_producer_timestamp: latest?.time ?? null,
      inputs_producer_timestamp: inputs?.time ?? null,
    },
    factset: facts ? { ...common(facts), timestamp: facts.receivedAt, hash: facts.hash } : null,
    facts: factValues,
    leaves: sorted(Object.entries(factValues).flatMap(([name, value]) => leavesOf([name], value))),
    packages: sorted([...((facts?.document['package_inventory'] ?? []) as Json[])]),
    inputs: inputs
      ? {
          producer_timestamp: inputs.time,
          catalog_uuid: from(inputs, 'catalog_uuid'),
          inputs: sorted([...(inputs.document['inputs'] as Json[])]),
          ...(at(inputs) as object),
        }
      : null,
    catalog: catalog
      ? {
          ...common(catalog),
          timestamp: catalog.receivedAt,
          hash: catalog.hash,
          version: from(catalog, 'version'),
          transaction_uuid: from(catalog, 'transaction_uuid'),
          catalog_uuid: from(catalog, 'catalog_uuid'),
          code_id: from(catalog, 'code_id'),
          job_id: from(catalog, 'job_id'),
        }
      : null,
    resources: sorted(((catalog?.document['resources'] ?? []) as Record<string, Json>[]).map(resourceView)),
    edges: sorted(((catalog?.document['edges'] ?? []) as unknown as Edge[]).map(edgeView)),
    latestReport: latest ? { hash: latest.hash, producer_timestamp: latest.time } : null,
    reports: Object.fromEntries([...reports].map(([hash, report]) => [hash, reportView(report)])),
    events: Object.fromEntries(
      full.map(([hash, report]) => [hash, eventsOf(report)] as const).filter(([, events]) => events.length > 0),
    ),
    counts: countsOf(new Map(full)),
  };
}

const common = (received: Received): Record<string, Json> => ({
  producer_timestamp: received.time,
  environment: from(received, 'environment'),
  producer: from(received, 'producer'),
  ...(at(received) as object),
});

function leavesOf(path: Json[], value: Json): Json[] {
  if (Array.isArray(value)) return (value as Json[]).flatMap((element, index) => leavesOf([...path, index], element));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, element]) => leavesOf([...path, key], element));
  }
  const types: Record<string, string> = { string: 's', boolean: 'b', object: 'n' };
  const type = typeof value === 'number' ? (Number.isInteger(value) ? 'i' : 'f') : types[typeof value];
  return [[path, type as string, value]];
}

const resourceView = ({ type, title, exported, file, line, tags, parameters }: Record<string, Json>): Json =>
  [type, title, exported, file, line, tags, parameters] as Json;

interface Edge {
  readonly source: { readonly type: string; readonly title: string };
  readonly target: { readonly type: string; readonly title: string };
  readonly relationship: string;
}
const edgeView = ({ source, target, relationship }: Edge): Json => [
  source.type,
  source.title,
  target.type,
  target.title,
  relationship,
];

function reportView(report: Received): Json {
  const same = [
    'status',
    'noop',
    'noop_pending',
    'corrective_change',
    'report_format',
    'configuration_version',
    'transaction_uuid',
    'catalog_uuid',
    'code_id',
    'cached_catalog_status',
    'job_id',
    'logs',
    'metrics',
    'resources',
  ];
  return {
    ...Object.fromEntries(same.map((field) => [field, from(report, field)])),
    ...common(report),
    agent_version: from(report, 'puppet_version'),
    start_time: iso(report.document['start_time']),
    end_time: iso(report.document['end_time']),
    receive_time: report.receivedAt,
    type: from(report, 'type') ?? 'agent',
  };
}

function eventsOf(report: Received): Record<string, Json>[] {
  return (report.document['resources'] as unknown as Record<string, Json>[]).flatMap((status) => {
    const nothing = { property: null, name: null, new_value: null, old_value: null, message: null };
    const skipped = { ...nothing, status: 'skipped', timestamp: status['timestamp'] as Json, corrective_change: null };
    const events = status['skipped'] === true ? [skipped] : (status['events'] as Record<string, Json>[]);
    const path = status['containment_path'] as string[] | null;
    return events.map((event) => ({
      ...event,
      timestamp: iso(event['timestamp']),
      resource_type: status['resource_type'] as Json,
      resource_title: status['resource_title'] as Json,
      file: status['file'] as Json,
      line: status['line'] as Json,
      containment_path: path,
      containing_class: path?.filter((element) => !element.includes('[')).at(-1) ?? null,
    }));
  });
}

function countsOf(reports: ReadonlyMap<string, Received>): Record<string, Json> {
  const counts: Record<string, Json> = {};
  for (const [hash, report] of reports) {
    const events = eventsOf(report);
    for (const name of new Set(events.map((event) => event['containing_class'] as string | null))) {
      const inClass = events.filter((event) => event['containing_class'] === name);
      const having = (status: string, corrective = false): number =>
        inClass.filter((event) => event['status'] === status && (!corrective || event['corrective_change'] === true))
          .length;
      counts[`${hash} ${name}`] = {
        successes: having('success'),
        failures: having('failure'),
        noops: having('noop'),
        skips: having('skipped'),
        corrective_successes: having('success', true),
        corrective_noops: having('noop', true),
      };
    }
  }
  return counts;
}
