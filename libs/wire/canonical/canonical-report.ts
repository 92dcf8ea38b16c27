import type { JsonText, WireReport } from '../documents';
import { canonicalStyle, rewrite } from '../json/rewrite';
import { sliceMembers } from '../json/slices';
import { encodeString } from '../json/strings';
import { orNull } from './or-null';

/**
 * Takes the transaction UUID from `sent`, the text of the document, because the hash of a report depends on the
 * original spelling of the UUID.
 */
export function canonicalReport(report: WireReport, sent: string): JsonText {
  const sorted = (text: JsonText): JsonText => rewrite(text, 0, canonicalStyle);
  const uuid = sliceMembers(sent, ['transaction_uuid'])?.found.get('transaction_uuid') ?? 'null';
  return (
    `{"cached_catalog_status":${orNull(report.cachedCatalogStatus)},"catalog_uuid":${orNull(report.catalogUuid)},` +
    `"certname":${encodeString(report.certname)},"code_id":${orNull(report.codeId)},` +
    `"configuration_version":${encodeString(report.configurationVersion)},"corrective_change":${report.correctiveChange},` +
    `"end_time":"${report.endTime}","environment":${encodeString(report.environment)},"job_id":${orNull(report.jobId)},` +
    `"logs":${sorted(report.logs)},"metrics":${sorted(report.metrics)},"noop":${report.noop},` +
    `"noop_pending":${report.noopPending},"producer":${orNull(report.producer)},` +
    `"producer_timestamp":"${report.producerTimestamp}","puppet_version":${encodeString(report.agentVersion)},` +
    `"report_format":${report.reportFormat},"resources":${sorted(report.resources)},"start_time":"${report.startTime}",` +
    `"status":${orNull(report.status)},"transaction_uuid":${sorted(uuid)},"type":"${report.type}"}`
  );
}
