import type { Tone } from '../../parts/status';
import type { Report } from '../../service/shapes';

type Run = Pick<Report, 'status' | 'noop' | 'noop_pending'>;

export const runTone = ({ status, noop }: Run): Tone => (status === 'failed' ? 'failed' : noop ? 'noop' : status);

export const runWord = (run: Run): string =>
  run.status === 'failed' ? 'Failed' : run.noop ? 'No-op' : run.status === 'changed' ? 'Changed' : 'Unchanged';

export function runWords({ status, noop, noop_pending: isPending }: Run): string {
  if (status === 'failed') return 'Run failed';
  if (noop) return isPending ? 'No-op run would change something' : 'No-op run found nothing to change';
  return status === 'changed' ? 'Run changed resources' : 'Run changed nothing';
}
