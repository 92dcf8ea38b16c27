/** Chart of runs over time. uPlot draws the bars on a canvas, in the colours of the theme. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { count } from './text';
import { clockTime, dayName, momentText } from './moments';

interface Bucket {
  readonly at: string;
  readonly failed: number;
  readonly changed: number;
}
interface TimeMark {
  readonly at: string;
  readonly words: string;
}

const height = 176;

export function TimeBars({
  step,
  buckets,
  marks,
}: {
  readonly step: number;
  readonly buckets: readonly Bucket[];
  readonly marks: readonly TimeMark[];
}) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const shownMarks = useRef(marks);
  shownMarks.current = marks;
  useEffect(() => {
    const element = frame.current!;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(
        optionsOf(element, step, () => shownMarks.current),
        dataOf(buckets),
        element,
      );
    };
    draw();
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    return () => {
      watch.disconnect();
      theme.disconnect();
      system.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [step, buckets.length]);
  useEffect(() => plot.current?.setData(dataOf(buckets)), [buckets]);
  const worst = buckets.reduce<Bucket | undefined>(
    (worst, bucket) => (worst === undefined || bucket.failed > worst.failed ? bucket : worst),
    undefined,
  );
  const words =
    worst === undefined || worst.failed === 0
      ? 'No run failed.'
      : `Most failed at ${momentText(worst.at)}: ${count(worst.failed)}.`;
  return <div ref={frame} class="time-bars" role="img" aria-label={`Runs that changed or failed. ${words}`} />;
}

/** Returns the data of the chart. The bars of changed runs are stacked on the bars of failed runs. */
const dataOf = (buckets: readonly Bucket[]): uPlot.AlignedData => [
  buckets.map(({ at }) => new Date(at).getTime() / 1000),
  buckets.map(({ changed, failed }) => changed + failed),
  buckets.map(({ failed }) => failed),
];

function optionsOf(element: HTMLElement, step: number, marks: () => readonly TimeMark[]): uPlot.Options {
  const styles = getComputedStyle(element);
  const colour = (name: string): string => {
    // A canvas does not support light-dark(), so the colour is read from an element, for which the browser resolves
    // light-dark().
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    element.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };
  const axis = {
    font: `11px ${styles.fontFamily}`,
    stroke: colour('--ink-3'),
    ticks: { show: false },
    border: { show: false },
  };
  const bars = uPlot.paths.bars!({ size: [0.78, 26], align: 1, gap: 0, radius: 0.08 });
  const isDays = step > 3600;
  return {
    width: element.clientWidth,
    height,
    padding: [16, 0, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] } },
    series: [
      {},
      { paths: bars, fill: colour('--fill-changed'), width: 0, points: { show: false } },
      { paths: bars, fill: colour('--fill-failed'), width: 0, points: { show: false } },
    ],
    axes: [
      {
        ...axis,
        size: 22,
        gap: 4,
        grid: { show: false },
        space: 70,
        values: (_, times) => times.map((time) => (isDays ? dayName(time * 1000) : clockTime(time * 1000))),
      },
      {
        ...axis,
        side: 1,
        size: 44,
        space: 40,
        grid: { stroke: colour('--line'), width: 1 },
        values: (_, figures) => figures.map((figure) => (Number.isInteger(figure) ? count(figure) : '')),
      },
    ],
    hooks: {
      draw: [
        (plot) => {
          const { ctx } = plot;
          ctx.save();
          ctx.font = `${11 * devicePixelRatio}px ${styles.fontFamily}`;
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
