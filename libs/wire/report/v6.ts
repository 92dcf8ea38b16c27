import { readStatuses } from './read-statuses';
import { statusShapesV7 } from './v7';
import { reportShape, sinceV7, sinceV8, type ReportVersion } from './v8';

/** Version 6 has no `catalog_uuid`. The transaction UUID is used instead. */
export const reportV6: ReportVersion = {
  version: 6,
  shape: reportShape([], [...sinceV7, ...sinceV8]),
  catalogUuid: (members, transactionUuid) =>
    members.has('catalog_uuid') ? members.uuidOrNull('catalog_uuid') : transactionUuid,
  statuses: (members) => readStatuses(members, statusShapesV7),
};
