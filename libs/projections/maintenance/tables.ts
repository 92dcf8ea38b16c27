import type { ReadTable } from '../schema/read-table';

export const maintenanceTables: readonly ReadTable[] = [
  {
    name: 'removals',
    deletedBy: [],
    ddl: `
-- What age limits have taken: of the reports that stand before the age limit's own place in the log and were made before a time, whose
-- nodes fall into all of the parts; kind r: the reports, e: their events and the counts of these. Their rows are deleted later. Of
-- reports the removal is forgotten then. Of events it is kept, for bases of the log, which still have the reports.
CREATE TABLE {schema}.removals (
  kind "char" NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  before timestamptz NOT NULL,
  parts int[] NOT NULL,
  of_parts int[] NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, log_partition, log_offset)
);
`,
  },
];
