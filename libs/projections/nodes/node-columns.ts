import { emptyRow, type NodeRow } from '../node-state';

export const nodeFields = Object.keys(emptyRow) as (keyof NodeRow)[];

/** Returns the name of the column of `nodes` with the field, such as `facts_timestamp` for `factsTimestamp`. */
export const nodeColumn = (field: keyof NodeRow): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const latestReportFields = [
  'reportProducerTimestamp',
  'reportTimestamp',
  'reportEnvironment',
  'latestReportStatus',
  'latestReportNoop',
  'latestReportNoopPending',
  'latestReportCorrectiveChange',
  'latestReportHash',
  'latestReportJobId',
  'cachedCatalogStatus',
] as const satisfies readonly (keyof NodeRow)[];
