import { defaultLimits, type Limits } from '#limits';
import type { JsonText } from '../documents';
import { Members } from '../check/members';
import { Problems, quoted } from '../check/problems';
import { shape } from '../check/shape';
import { readStrictTime, timeOfEpoch } from '../check/times';
import { isInteger } from '../json/numbers';
import { JsonScan } from '../json/scan';
import { encodeString } from '../json/strings';
import { payloadText } from '../payload-text';
import { checkValues } from '../value-count';
import { oneOf } from './field-checks';
import { agentLogs } from './logs';
import { agentMetrics } from './metrics';
import { agentStatuses } from './statuses';

const mostProblems = 1_000;

export const agentReportShape = shape(
  [
    'host',
    'time',
    'resource_statuses',
    'configuration_version',
    'report_format',
    'agent_version',
    'status',
    'transaction_completed',
    'noop',
    'noop_pending',
    'environment',
  ] as const,
  [
    'logs',
    'metrics',
    'transaction_uuid',
    'code_id',
    'job_id',
    'catalog_uuid',
    'cached_catalog_status',
    'master_used',
    'corrective_change',
  ] as const,
);
type ReportMembers = Members<(typeof agentReportShape.names)[number]>;

export interface ConvertedReport {
  readonly certname: string;
  readonly payload: JsonText;
}

/**
 * Converts an agent's report (format 9) to `store report` 8. `receivedAt`, in milliseconds since 1970, becomes the
 * producer timestamp. Throws a fault of kind `malformed`: `wire.encoding`, `wire.json`, `wire.number`, `wire.limit`, or
 * `wire.shape` with the problems in `details`.
 */
export function readAgentReport(bytes: Buffer, receivedAt: number, limits: Limits = defaultLimits): ConvertedReport {
  checkValues(bytes, limits);
  const problems = new Problems('The agent report', mostProblems);
  const members: ReportMembers = new Members(new JsonScan(payloadText(bytes), limits), agentReportShape, problems);
  const end = members.scan.space(members.open(0));
  if (end < members.scan.text.length) throw members.scan.unexpected(end, 'the end');
  const startTime = members.strictTime('time') === '' ? '""' : members.raw('time');
  checkFormat(members);
  members.boolean('transaction_completed');
  const { list: metrics, runSeconds } = agentMetrics(members);
  const certname = members.text('host');
  if (members.kind('host') === 'string' && certname.trim() === '') members.wrong('host', 'a name', quoted(certname));
  const transaction = uuid(members, 'transaction_uuid');
  const fields: Record<string, JsonText> = {
    certname: encodeString(certname),
    environment: encodeString(members.text('environment')),
    puppet_version: encodeString(members.text('agent_version')),
    report_format: '9',
    configuration_version: configurationVersion(members),
    start_time: startTime,
    end_time: endTime(members, runSeconds),
    producer_timestamp: JSON.stringify(new Date(receivedAt).toISOString()),
    producer: optionalText(members, 'master_used'),
    transaction_uuid: transaction,
    catalog_uuid: members.has('catalog_uuid') ? uuid(members, 'catalog_uuid') : transaction,
    code_id: optionalText(members, 'code_id'),
    job_id: members.kind('job_id') === 'null' ? 'null' : optionalText(members, 'job_id'),
    cached_catalog_status: members.has('cached_catalog_status')
      ? encodeString(
          oneOf(members, 'cached_catalog_status', ['not_used', 'explicitly_requested', 'on_failure'] as const),
        )
      : 'null',
    status: encodeString(oneOf(members, 'status', ['failed', 'changed', 'unchanged'])),
    noop: String(members.boolean('noop')),
    noop_pending: String(members.boolean('noop_pending')),
    corrective_change: String(members.booleanOrNull('corrective_change', false)),
    logs: agentLogs(members),
    metrics,
    resources: agentStatuses(members, startTime),
  };
  problems.throwIfAny();
  const payload = Object.entries(fields).map(([name, value]) => `"${name}":${value}`);
  return { certname, payload: `{${payload.join(',')}}` };
}

function checkFormat(members: ReportMembers): void {
  const kind = members.kind('report_format');
  if (kind === undefined) return;
  if ((kind === 'number' && members.raw('report_format') === '9') || members.raw('report_format') === '"9"') return;
  members.wrong('report_format', '9', kind === 'number' ? members.raw('report_format').slice(0, 20) : undefined);
}

function configurationVersion(members: ReportMembers): JsonText {
  const kind = members.kind('configuration_version');
  if (kind === 'string') return encodeString(members.text('configuration_version'));
  if (kind === 'number' && isInteger(members.raw('configuration_version')))
    return encodeString(members.raw('configuration_version'));
  if (kind !== undefined) members.wrong('configuration_version', 'an integer or a string');
  return '""';
}

function uuid(members: ReportMembers, name: 'transaction_uuid' | 'catalog_uuid'): JsonText {
  if (!members.has(name)) return 'null';
  const text = members.uuidOrNull(name, false);
  return text === null ? 'null' : encodeString(text);
}

function optionalText(members: ReportMembers, name: 'master_used' | 'code_id' | 'job_id'): JsonText {
  if (!members.has(name)) return 'null';
  const text = members.text(name);
  return text === '' ? 'null' : encodeString(text);
}

/** An agent's report has no end time. Returns the start time plus the duration in the metrics, cut to milliseconds. */
function endTime(members: ReportMembers, runSeconds: number): JsonText {
  if (members.kind('time') !== 'string') return '""';
  const sent = members.text('time');
  const start = readStrictTime(sent);
  if (start === undefined) return '""';
  const cut = /[.]\d{3}(\d+)/.exec(sent)?.[1] ?? '0';
  const end = timeOfEpoch(Math.floor(Date.parse(start) + Number(`0.${cut}`) + runSeconds * 1_000));
  if (end === undefined) members.wrong('metrics', 'a duration that ends before the year 275000', 'a longer one');
  return JSON.stringify(end ?? '');
}
