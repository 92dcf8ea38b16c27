import { useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { momentText } from './moments';
import { type Frame, Plot } from './plot';
import { count } from './text';

interface Bucket {
  readonly at: string;
  readonly failed: number;
  readonly changed: number;
}
interface TimeMark {
  readonly at: string;
  readonly words: string;
}

export function TimeBars({
  step,
  buckets,
  marks,
}: {
  readonly step: number;
  readonly buckets: readonly Bucket[];
  readonly marks: readonly TimeMark[];
}) {
  const shownMarks = useRef(marks);
  shownMarks.current = marks;
  const data = useMemo(() => dataOf(buckets), [buckets]);
  const worst = buckets.reduce<Bucket | undefined>(
    (worst, bucket) => (worst === undefined || bucket.failed > worst.failed ? bucket : worst),
    undefined,
  );
  const words =
    worst === undefined || worst.failed === 0
      ? 'No run failed.'
      : `Most failed at ${momentText(worst.at)}: ${count(worst.failed)}.`;
  return (
    <Plot
      label={`Runs that changed or failed. ${words}`}
      areCounts
      step={step}
      data={data}
      options={(frame) => optionsOf(frame, () => shownMarks.current)}
    />
  );
}

/** The bar of changed runs is stacked on the bar of failed runs. */
const dataOf = (buckets: readonly Bucket[]): uPlot.AlignedData => [
  buckets.map(({ at }) => new Date(at).getTime() / 1000),
  buckets.map(({ changed, failed }) => changed + failed),
  buckets.map(({ failed }) => failed),
];

function optionsOf({ font, colour }: Frame, marks: () => readonly TimeMark[]) {
  const bars = uPlot.paths.bars!({ size: [0.78, 26], align: 1, gap: 0, radius: 0.08 });
  return {
    padding: [16, 0, 0, 0] as [number, number, number, number],
    series: [
      {},
      { paths: bars, fill: colour('--fill-changed'), width: 0, points: { show: false } },
      { paths: bars, fill: colour('--fill-failed'), width: 0, points: { show: false } },
    ],
    hooks: {
      draw: [
        (plot: uPlot) => {
          const { ctx } = plot;
          ctx.save();
          ctx.font = `${11 * devicePixelRatio}px ${font}`;
          let free = -Infinity;
          for (const { at, words } of marks()) {
            const x = Math.round(plot.valToPos(new Date(at).getTime() / 1000, 'x', true));
            if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) continue;
            ctx.strokeStyle = colour('--ink-3');
            ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
            ctx.beginPath();
            ctx.moveTo(x, plot.bbox.top - 12 * devicePixelRatio);
            ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
            ctx.stroke();
            const width = ctx.measureText(words).width;
            const left = x + width > plot.bbox.left + plot.bbox.width ? x - width - 6 : x + 6;
            if (left < free) continue;
            ctx.fillStyle = colour('--ink-2');
            ctx.fillText(words, left, plot.bbox.top - 4 * devicePixelRatio);
            free = left + width + 12;
          }
          ctx.restore();
        },
      ],
    },
  };
}
