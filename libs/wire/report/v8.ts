import { defaultLimits, type Limits } from '#limits';
import type { WireReport } from '../documents';
import { Members } from '../check/members';
import { Problems, quoted } from '../check/problems';
import { shape, type Shape } from '../check/shape';
import { reportHash } from '../identity/report';
import { JsonScan } from '../json/scan';
import { readLogs } from './logs';
import { readMetrics } from './metrics';
import { readStatuses } from './read-statuses';
import type { EventField, StatusField, StatusShapes } from './status-shapes';
import { eventsOf, statusesText, type ResourceStatuses } from './statuses';

const always = [
  'certname',
  'environment',
  'puppet_version',
  'report_format',
  'configuration_version',
  'start_time',
  'end_time',
  'producer_timestamp',
  'transaction_uuid',
  'status',
  'noop',
  'metrics',
  'logs',
] as const;
export const sinceV8 = ['producer', 'noop_pending', 'corrective_change', 'resources'] as const;
export const sinceV7 = ['catalog_uuid', 'code_id', 'cached_catalog_status'] as const;
const neverRequired = ['job_id', 'type'] as const;

export type ReportField =
  (typeof always | typeof sinceV8 | typeof sinceV7 | typeof neverRequired)[number] | 'resource_events';

export interface ReportVersion {
  readonly version: number;
  readonly shape: Shape<ReportField>;
  readonly catalogUuid: (members: Members<ReportField>, transactionUuid: string | null) => string | null;
  readonly statuses: (members: Members<ReportField>) => ResourceStatuses;
}

export function reportShape(required: readonly ReportField[], optional: readonly ReportField[]): Shape<ReportField> {
  return shape<ReportField, ReportField>([...always, ...required], [...neverRequired, ...optional], {
    aliases: { agent_version: 'puppet_version' },
  });
}

export const statusShapesV8: StatusShapes = {
  status: shape<StatusField>([
    'skipped',
    'timestamp',
    'resource_type',
    'resource_title',
    'file',
    'line',
    'containment_path',
    'corrective_change',
    'events',
  ]),
  event: shape<EventField, EventField>(
    ['status', 'timestamp', 'property', 'new_value', 'old_value', 'message', 'corrective_change'],
    ['name'],
  ),
  correctiveChange: true,
};

export const reportV8: ReportVersion = {
  version: 8,
  shape: reportShape([...sinceV7, ...sinceV8], []),
  catalogUuid: (members) => members.uuidOrNull('catalog_uuid'),
  statuses: (members) => readStatuses(members, statusShapesV8),
};

export function readReport(
  text: string,
  version: ReportVersion = reportV8,
  limits: Limits = defaultLimits,
): WireReport {
  const problems = new Problems(`store report ${version.version}`);
  const members = new Members(new JsonScan(text, limits), version.shape, problems);
  members.open(0);
  const transactionUuid = members.uuidOrNull('transaction_uuid');
  const type = readType(members);
  const statuses = version.statuses(members);
  const report = {
    certname: members.text('certname'),
    environment: members.text('environment'),
    status: members.textOrNull('status'),
    noop: members.booleanOrNull('noop'),
    noopPending: members.booleanOrNull('noop_pending'),
    correctiveChange: members.booleanOrNull('corrective_change'),
    agentVersion: members.text('puppet_version'),
    reportFormat: members.integer('report_format', 16),
    configurationVersion: members.text('configuration_version'),
    startTime: members.strictTime('start_time'),
    endTime: members.strictTime('end_time'),
    producerTimestamp: members.strictTime('producer_timestamp'),
    producer: members.textOrNull('producer'),
    transactionUuid,
    catalogUuid: version.catalogUuid(members, transactionUuid),
    codeId: members.textOrNull('code_id'),
    cachedCatalogStatus: members.textOrNull('cached_catalog_status'),
    jobId: members.textOrNull('job_id'),
    logs: readLogs(members),
    metrics: readMetrics(members),
  };
  problems.throwIfAny();
  return {
    kind: 'report',
    ...report,
    type,
    hash: reportHash({ ...report, transactionUuid: members.textOrNull('transaction_uuid') }),
    resources: statuses.text ?? statusesText(statuses.list),
    events: eventsOf(statuses.list),
  };
}

function readType(members: Members<ReportField>): 'agent' | 'plan' {
  if (!members.has('type')) return 'agent';
  const type = members.text('type');
  if (members.kind('type') === 'string' && type !== 'agent' && type !== 'plan')
    members.wrong('type', '"agent" or "plan"', quoted(type));
  return type === 'plan' ? 'plan' : 'agent';
}
