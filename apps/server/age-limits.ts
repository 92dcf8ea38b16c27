import { AgeLimits } from '#admin';
import type { Settings } from '#config';

/** How old this process lets things get. */
export const ageLimits = ({
  nodeTtl,
  nodePurgeTtl,
  reportTtl,
  nodePurgeGcBatchLimit,
  deadLetterTtl,
  auditTtl,
  resourceEventsTtl,
}: Readonly<Settings>): AgeLimits =>
  new AgeLimits(
    nodeTtl,
    nodePurgeTtl,
    reportTtl,
    nodePurgeGcBatchLimit,
    deadLetterTtl,
    auditTtl,
    resourceEventsTtl ?? reportTtl,
  );
