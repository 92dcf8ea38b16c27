import { hrefTo } from '../../address/address';
import { StatusMark, toneOf } from '../../parts/status';
import { count, percent } from '../../parts/text';
import { type Status, statuses, type Summary } from '../../service/shapes';

export function FleetBar({ summary, env }: { readonly summary: Summary; readonly env: string | undefined }) {
  const { nodes, total } = summary;
  const words = statuses.map((status) => `${count(nodes[status])} ${status}`).join(', ');
  return (
    <section class="card" aria-label="Nodes by status">
      <div class="prop" role="img" aria-label={`${words}, of ${count(total)}`}>
        {statuses
          .filter((status) => nodes[status] > 0)
          .map((status) => (
            <i key={status} class={toneOf[status]} style={{ flexGrow: nodes[status] }} />
          ))}
      </div>
      <div class="fleet">
        {statuses.map((status) => (
          <a key={status} class={nodes[status] > 0 ? toneOf[status] : ''} href={hrefTo(['nodes'], { status, env })}>
            <StatusMark status={status} />
            <span class="n">{count(nodes[status])}</span>
            <span class="xs muted more">{noteOf(status, summary)}</span>
          </a>
        ))}
      </div>
    </section>
  );
}

function noteOf(status: Status, { nodes, total, day_before: dayBefore }: Summary): string {
  switch (status) {
    case 'failed': {
      if (dayBefore === undefined || dayBefore === null) return percent(nodes.failed, total);
      const more = nodes.failed - dayBefore.failed;
      if (more === 0) return 'as many as yesterday';
      return more > 0 ? `${count(more)} more than yesterday` : `${count(-more)} fewer than yesterday`;
    }
    case 'unreported':
      return 'no report for 2 h';
    case 'noop':
      return `${count(nodes.noop_pending)} would change`;
    default:
      return percent(nodes[status], total);
  }
}
