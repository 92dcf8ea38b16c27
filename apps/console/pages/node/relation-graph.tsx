import { excerpt, visible } from '../../parts/text';
import type { Edge } from '../../service/shapes';

const words: Readonly<Record<string, string>> = {
  contains: 'contains',
  before: 'before',
  'required-by': 'required by',
  notifies: 'notifies',
  'subscription-of': 'subscription of',
};

interface Neighbour {
  readonly name: string;
  readonly relationship: string;
}

export function RelationGraph({
  type,
  title,
  edges,
  hrefOf,
}: {
  readonly type: string;
  readonly title: string;
  readonly edges: readonly Edge[];
  readonly hrefOf: (name: string) => string;
}) {
  const name = `${type}[${title}]`;
  const isSource = (edge: Edge): boolean => edge.source_type === type && edge.source_title === title;
  const before = edges
    .filter((edge) => !isSource(edge))
    .map((edge): Neighbour => ({ name: `${edge.source_type}[${edge.source_title}]`, relationship: edge.relationship }));
  const after = edges
    .filter(isSource)
    .map((edge): Neighbour => ({ name: `${edge.target_type}[${edge.target_title}]`, relationship: edge.relationship }));
  const rowHeight = 34;
  const height = Math.max(before.length, after.length, 1) * rowHeight;
  const y = (index: number, size: number): number => height / 2 + (index - (size - 1) / 2) * rowHeight;
  const line = (index: number, size: number, isLeft: boolean): string => {
    const [outer, inner] = isLeft ? [300, 380] : [660, 580];
    const middle = (outer + inner) / 2;
    return `M${outer} ${y(index, size)}C${middle} ${y(index, size)} ${middle} ${height / 2} ${inner} ${height / 2}`;
  };
  return (
    <div class="scroll in">
      <svg
        class="relations"
        viewBox={`0 0 960 ${height}`}
        width="960"
        height={height}
        role="group"
        aria-label={`Relations of ${visible(name)}`}
      >
        {before.map((_, index) => (
          <path key={index} class="edge" d={line(index, before.length, true)} />
        ))}
        {after.map((_, index) => (
          <path key={index} class="edge" d={line(index, after.length, false)} />
        ))}
        {before.map((neighbour, index) => (
          <Box key={index} x={0} y={y(index, before.length)} neighbour={neighbour} href={hrefOf(neighbour.name)} />
        ))}
        {after.map((neighbour, index) => (
          <Box key={index} x={660} y={y(index, after.length)} neighbour={neighbour} href={hrefOf(neighbour.name)} />
        ))}
        <g transform={`translate(380 ${height / 2 - 14})`}>
          <rect class="centre" width="200" height="28" rx="6" />
          <text x="100" y="18" text-anchor="middle">
            {visible(excerpt(name, 30))}
          </text>
          <title>{visible(name)}</title>
        </g>
      </svg>
    </div>
  );
}

function Box({
  x,
  y,
  neighbour,
  href,
}: {
  readonly x: number;
  readonly y: number;
  readonly neighbour: Neighbour;
  readonly href: string;
}) {
  const relationship = words[neighbour.relationship] ?? neighbour.relationship;
  return (
    <a href={href}>
      <g transform={`translate(${x} ${y - 14})`}>
        <rect class="box" width="300" height="28" rx="6" />
        <text x="10" y="18">
          {visible(excerpt(neighbour.name, 34))}
        </text>
        <text class="relationship" x="290" y="18" text-anchor="end">
          {relationship}
        </text>
        <title>{visible(neighbour.name)}</title>
      </g>
    </a>
  );
}
