/** Steps of a schedule: small values, so that a counterexample is readable, and their documents. */
import { createHash } from 'node:crypto';
import { nameInPartition } from '#log';
import type { WireAgeLimits } from '#wire';
import { ageLimitsOf } from '../support/age-limits';
import { catalog, edge, event, factset, report, resource } from '../support/documents';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Document = { readonly [key: string]: Json };

/** Times are small whole numbers: seconds after the start of 2026; `zone` spells the same time in another time zone. */
export type Zone = 'utc' | 'offset' | 'epoch';

export interface EventStep {
  readonly property: string | null;
  readonly status: string;
  readonly corrective: boolean | null;
}

export interface StatusStep {
  readonly title: string;
  readonly skipped: boolean;
  readonly path: readonly string[] | null;
  readonly events: readonly EventStep[];
}

export type PoisonKind =
  'not-json' | 'other-certname' | 'future' | 'edge-to-nowhere' | 'twice' | 'bad-time' | 'too-long';

export type CommandStep =
  | {
      readonly do: 'facts';
      readonly node: string;
      readonly at: number;
      readonly zone: Zone;
      readonly environment: string | null;
      readonly values: Document;
      readonly packages?: readonly (readonly string[])[] | null;
    }
  | {
      readonly do: 'catalog';
      readonly node: string;
      readonly at: number;
      readonly zone: Zone;
      readonly environment: string | null;
      readonly version: string;
      readonly code?: string;
      readonly files: readonly { readonly title: string; readonly line: number | null; readonly ensure: string }[];
      readonly edges: readonly string[];
    }
  | {
      readonly do: 'report';
      readonly node: string;
      readonly at: number;
      readonly version: string;
      readonly type?: 'agent' | 'plan';
      readonly environment: string;
      readonly status: string | null;
      readonly statuses: readonly StatusStep[];
    }
  | { readonly do: 'deactivate'; readonly node: string; readonly at: number | null; readonly zone: Zone }
  | { readonly do: 'expiration'; readonly node: string; readonly at: number | null; readonly facts: boolean }
  /** Age limits for this node: expires it at `at` if it has sent nothing since `before`. */
  | { readonly do: 'expire'; readonly node: string; readonly at: number; readonly before: number }
  | {
      readonly do: 'inputs';
      readonly node: string;
      readonly at: number | null;
      readonly inputs: readonly (readonly string[])[];
    }
  | { readonly do: 'poison'; readonly node: string; readonly at: number; readonly how: PoisonKind };

/**
 * The periodic age limits for all partitions: expires nodes without documents since `expire` at the time `at`, purges
 * nodes that have been inactive since `purge`, removes the reports and events before `reports` and `events`, and ends the
 * past before `history`.
 */
export interface LimitsStep {
  readonly do: 'limits';
  readonly at: number;
  readonly expire: number | null;
  readonly purge: number | null;
  readonly reports: number | null;
  readonly events: number | null;
  readonly history?: number;
}

export type ScheduleStep =
  | CommandStep
  | LimitsStep
  | { readonly do: 'settle'; readonly projectors: number; readonly batch: number }
  /** A projector that is aborted after this many milliseconds, wherever it is. */
  | { readonly do: 'abort'; readonly afterMs: number; readonly batch: number }
  /** The database cancels the statements of the projectors after this many milliseconds. */
  | { readonly do: 'kill'; readonly afterMs: number; readonly batch: number };

/** One command as it is submitted. `document` is undefined if the command cannot be applied. */
export interface Submission {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: string;
  readonly document: Document | undefined;
}

export const isCommand = (step: ScheduleStep): step is CommandStep =>
  !['settle', 'abort', 'kill', 'limits'].includes(step.do);

export const timeOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();

function spelled(at: number, zone: Zone): string | number {
  if (zone === 'epoch') return Date.parse(timeOf(at));
  if (zone === 'utc') return timeOf(at);
  return new Date(Date.parse(timeOf(at)) + 5_400_000).toISOString().replace('Z', '+01:30');
}

const optionalTime = (at: number | null, zone: Zone = 'utc'): Document =>
  at === null ? {} : { producer_timestamp: spelled(at, zone) };

/** Text that does not compress. No index row can store it, so only the database refuses it. */
function endless(seed: string): string {
  let text = '';
  for (let part = 0; text.length < 12_000; part++) text += createHash('sha512').update(`${seed} ${part}`).digest('hex');
  return text;
}

function poison(certname: string, { at, how }: Extract<CommandStep, { do: 'poison' }>): Omit<Submission, 'document'> {
  const time = { producer_timestamp: timeOf(at) };
  const facts = { command: 'replace facts', version: 5, certname };
  const broken = (payload: unknown): Omit<Submission, 'document'> => ({ ...facts, payload: JSON.stringify(payload) });
  const brokenCatalog = (...[resources, edges]: [unknown, unknown]): Omit<Submission, 'document'> => ({
    command: 'replace catalog',
    version: 9,
    certname,
    payload: JSON.stringify(catalog(certname, resources, edges, time)),
  });
  switch (how) {
    case 'not-json':
      return { ...facts, payload: '{"certname":' };
    case 'other-certname':
      return broken(factset(`not-${certname}`, { os: 'other' }, time));
    case 'future':
      return { ...broken(factset(certname, { os: 'future' }, time)), version: 99 };
    case 'bad-time':
      return broken(factset(certname, { os: 'never' }, { producer_timestamp: 'yesterday' }));
    case 'edge-to-nowhere':
      return brokenCatalog([resource('/a')], [edge('/a', '/nowhere')]);
    case 'twice':
      return brokenCatalog([resource('/a'), resource('/a')], []);
    case 'too-long': {
      const long = `${certname}-${endless(`${certname} ${at}`)}`;
      return { ...broken(factset(long, { os: 'long' }, time)), certname: long };
    }
  }
}

const statusDocument = ({ title, skipped, path, events }: StatusStep): Document => ({
  resource_type: 'File',
  resource_title: title,
  file: '/site.pp',
  line: 7,
  skipped,
  timestamp: timeOf(1),
  containment_path: path,
  corrective_change: false,
  events: events.map(
    ({ property, status, corrective }) =>
      event(property as string, { property, status, corrective_change: corrective }) as Document,
  ),
});

/** More nodes than there are. */
const all = 1_000_000;

/** The age limits for one partition. */
export function limitsOf(step: LimitsStep, partition: number, partitions: number): WireAgeLimits {
  const time = (at: number | null): string | null => (at === null ? null : timeOf(at));
  return {
    kind: 'age limits',
    certname: nameInPartition(partition, partitions),
    nodes: [{ partition, partitions }],
    expiry: step.expire === null ? null : { cutoff: timeOf(step.expire), expired: timeOf(step.at), most: all },
    purge: step.purge === null ? null : { cutoff: timeOf(step.purge), most: all },
    reportsBefore: time(step.reports),
    eventsBefore: time(step.events),
    historyBefore: time(step.history ?? null),
  };
}

/** Returns the command of a step about the node `certname`. */
export function submission(step: CommandStep, certname: string): Submission {
  const made = (command: string, version: number, document: unknown): Submission => {
    const payload = JSON.stringify(document);
    return { command, version, certname, payload, document: JSON.parse(payload) as Document };
  };
  switch (step.do) {
    case 'poison':
      return { ...poison(certname, step), document: undefined };
    case 'facts':
      return made(
        'replace facts',
        5,
        factset(certname, step.values, {
          environment: step.environment,
          producer_timestamp: spelled(step.at, step.zone),
          ...(step.packages === undefined ? {} : { package_inventory: step.packages }),
        }),
      );
    case 'catalog': {
      const titles = new Set(step.files.map(({ title }) => title));
      const edges = step.edges.filter((pair) => titles.has(`/${pair[0]}`) && titles.has(`/${pair[1]}`));
      return made(
        'replace catalog',
        9,
        catalog(
          certname,
          step.files.map(({ title, line, ensure }) => resource(title, { line, parameters: { ensure } })),
          edges.map((pair) => edge(`/${pair[0]}`, `/${pair[1]}`)),
          {
            environment: step.environment,
            version: step.version,
            code_id: step.code ?? null,
            producer_timestamp: spelled(step.at, step.zone),
          },
        ),
      );
    }
    case 'report':
      return made(
        'store report',
        8,
        report(certname, [], {
          environment: step.environment,
          status: step.status,
          configuration_version: step.version,
          producer_timestamp: timeOf(step.at),
          end_time: timeOf(step.at + 60),
          resources: step.statuses.map(statusDocument),
          ...(step.type === undefined ? {} : { type: step.type }),
        }),
      );
    case 'deactivate':
      return made('deactivate node', 3, { certname, ...optionalTime(step.at, step.zone) });
    case 'expiration':
      return made('configure expiration', 1, { certname, expire: { facts: step.facts }, ...optionalTime(step.at) });
    case 'expire': {
      const expiry = { expired: timeOf(step.at), cutoff: timeOf(step.before), most: 1 };
      const { command, version, payload } = ageLimitsOf(certname, { expiry });
      return { command, version, certname, payload, document: JSON.parse(payload) as Document };
    }
    case 'inputs':
      return made('replace catalog inputs', 1, {
        certname,
        catalog_uuid: '00000000-0000-4000-8000-000000000009',
        inputs: step.inputs,
        ...optionalTime(step.at),
      });
  }
}
