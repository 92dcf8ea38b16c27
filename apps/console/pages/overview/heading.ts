import { count, counted } from '../../parts/text';
import { momentText } from '../../parts/moments';
import type { Failures, Summary } from '../../service/shapes';

export function headingOf({ total, nodes }: Summary, failures: Failures | undefined): { title: string; note: string } {
  const { failed, unreported } = nodes;
  const silent = `${counted(unreported, 'node')} ${unreported === 1 ? 'has' : 'have'} not reported for 2 h`;
  if (failed > 0) {
    const title = `${count(failed)} of ${counted(total, 'node')} failed ${failed === 1 ? 'its' : 'their'} last run`;
    const [first] = failures?.causes ?? [];
    const shared =
      first !== undefined && first.nodes > 1 && failed > 1
        ? `${count(first.nodes)} of them share one cause, since ${momentText(first.since)}.`
        : undefined;
    return { title, note: [shared, unreported > 0 ? `${silent}.` : undefined].filter(Boolean).join(' ') };
  }
  if (unreported > 0) return { title: silent, note: 'No node failed its last run.' };
  return {
    title: total === 1 ? 'The only node is fine' : `All ${counted(total, 'node')} are fine`,
    note: `${counted(nodes.changed, 'node')} changed in the last run.`,
  };
}
