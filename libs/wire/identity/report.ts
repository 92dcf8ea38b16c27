import type { IsoTime } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

interface ReportIdentity {
  readonly certname: string;
  readonly configurationVersion: string;
  readonly endTime: IsoTime;
  readonly producerTimestamp: IsoTime;
  readonly agentVersion: string;
  readonly reportFormat: number;
  readonly startTime: IsoTime;
  /** The original spelling in the document, which may differ from PostgreSQL's spelling. */
  readonly transactionUuid: string | null;
}

/** Reports with equal values of these fields count as one report. */
export function reportHash(report: ReportIdentity): string {
  const {
    certname,
    configurationVersion,
    endTime,
    producerTimestamp,
    agentVersion,
    reportFormat,
    startTime,
    transactionUuid,
  } = report;
  return sha1(
    `{"certname":${encodeString(certname)},"configuration_version":${encodeString(configurationVersion)},"end_time":"${endTime}",` +
      `"producer_timestamp":"${producerTimestamp}","puppet_version":${encodeString(agentVersion)},"report_format":${reportFormat},` +
      `"start_time":"${startTime}","transaction_uuid":${transactionUuid === null ? 'null' : encodeString(transactionUuid)}}`,
  );
}
