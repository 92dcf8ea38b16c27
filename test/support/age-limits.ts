import type { AgeLimits } from '#admin';
import { nameInPartition, partitionOf, type Position } from '#log';
import { lifecycleCommands, writeAgeLimits, type WireAgeLimits } from '#wire';
import type { ProjectionBench } from './projection';

const dayMs = 86_400_000;

/** Nothing is too old. */
export const noAgeLimits: AgeLimits = {
  ...{ nodeTtl: 0, nodePurgeTtl: 0, nodePurgeGcBatchLimit: 0, reportTtl: 0, resourceEventsTtl: 0 },
  ...{ deadLetterTtl: 0, auditTtl: 0, history: 0 },
};

/** As of the settings' defaults. */
export const usualAgeLimits: AgeLimits = {
  ...{ nodeTtl: 7 * dayMs, nodePurgeTtl: 14 * dayMs, nodePurgeGcBatchLimit: 25 },
  ...{
    reportTtl: 14 * dayMs,
    resourceEventsTtl: 14 * dayMs,
    history: 14 * dayMs,
    deadLetterTtl: 30 * dayMs,
    auditTtl: 365 * dayMs,
  },
};

/** What a test wants of age limits; the rest is not limited. */
export type GivenLimits = Partial<
  Pick<WireAgeLimits, 'expiry' | 'purge' | 'reportsBefore' | 'eventsBefore' | 'historyBefore'>
>;

/** More partitions than logs have: one of them has one node. */
const partOfOne = 2 ** 31 - 1;

/** Returns the command `apply age limits` for the node alone. */
export function ageLimitsOf(
  certname: string,
  limits: GivenLimits,
): typeof lifecycleCommands.applyAgeLimits & { payload: string } {
  const nodes = [{ partition: partitionOf(certname, partOfOne), partitions: partOfOne }];
  const none = { expiry: null, purge: null, reportsBefore: null, eventsBefore: null, historyBefore: null };
  const payload = writeAgeLimits({ kind: 'age limits', certname, nodes, ...none, ...limits });
  return { ...lifecycleCommands.applyAgeLimits, payload };
}

/** Appends age limits that apply to the node alone. */
export function limitNode(bench: ProjectionBench, certname: string, limits: GivenLimits): Promise<Position> {
  const { command, version, payload } = ageLimitsOf(certname, limits);
  return bench.submit(command, certname, { version, payload });
}

/** Appends one record of these age limits to each partition of the bench's log. */
export async function giveAgeLimits(bench: ProjectionBench, partitions: number, limits: GivenLimits): Promise<void> {
  for (let partition = 0; partition < partitions; partition++) {
    const certname = nameInPartition(partition, partitions);
    const payload = writeAgeLimits({
      ...{ kind: 'age limits', certname, nodes: [{ partition, partitions }] },
      ...{ expiry: null, purge: null, reportsBefore: null, eventsBefore: null, historyBefore: null },
      ...limits,
    });
    const { command, version } = lifecycleCommands.applyAgeLimits;
    await bench.submit(command, certname, { version, payload });
  }
}
