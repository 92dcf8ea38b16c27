import { readStatuses } from './read-statuses';
import { statusShapesV7 } from './v7';
import { reportShape, sinceV7, sinceV8, type ReportVersion } from './v8';

/** `catalog_uuid` is optional in version 6. If it is missing, the transaction UUID is used instead. */
export const reportV6: ReportVersion = {
  version: 6,
  shape: reportShape([], [...sinceV7, ...sinceV8]),
  catalogUuid: (members, transactionUuid) =>
    members.has('catalog_uuid') ? members.uuidOrNull('catalog_uuid') : transactionUuid,
  statuses: (members) => readStatuses(members, statusShapesV7),
};
