import { snapshotTails, type ReplayContext } from '#projections';
import { amount } from '../amounts';

interface SnapshotPlan {
  /** The start of the tail in each partition: its offset now (`from`) and after the snapshot (`to`). */
  readonly moves: ReadonlyMap<number, { readonly from: number; readonly to: number }>;
  /**
   * Number of records that leave the tail. The snapshot can remove fewer records, because it keeps the records that the
   * tables still need.
   */
  readonly records: number;
}

/** Takes the same `historyMs` as `snapshot`, and throws the same faults. */
export async function planSnapshot(context: ReplayContext, historyMs: number): Promise<SnapshotPlan> {
  const { tails: today } = await context.log.extent();
  const wanted = await snapshotTails(context, historyMs);
  const moves = new Map([...wanted].map(([partition, to]) => [partition, { from: today.get(partition) ?? to, to }]));
  return { moves, records: [...moves.values()].reduce((sum, { from, to }) => sum + to - from, 0) };
}

export function planLines({ moves, records }: SnapshotPlan, history: string): string {
  if (records === 0) return '';
  const tails = [...moves].filter(([, { from, to }]) => to > from).map(([partition, { to }]) => `${partition}-${to}`);
  const since = history === '0' ? 'all applied records' : `records older than ${history}`;
  return (
    `This removes from the log ${since}: up to ${amount(records, 'record')}, those before ${tails.join(', ')}.\n` +
    'Records that are still needed are kept. Earlier states can no longer be restored: no tables of an earlier\n' +
    'position (rebuild --to-position), no earlier facts and catalogs, nothing of nodes that were deleted.\n'
  );
}
