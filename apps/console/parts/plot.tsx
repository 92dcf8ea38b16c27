import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { count } from './text';
import { clockTime, dayName } from './moments';

const height = 176;

export interface Frame {
  readonly font: string;
  readonly colour: (name: string) => string;
}

type OwnOptions = Pick<uPlot.Options, 'series'> & Partial<Pick<uPlot.Options, 'hooks' | 'padding'>>;

/**
 * `data` contains the times in seconds since 1970, then the values of each series. `options` must create new series and
 * hooks at each call. If `step` (seconds) is more than an hour, the time axis shows days.
 */
export function Plot({
  label,
  areCounts = false,
  step,
  data,
  options,
}: {
  readonly label: string;
  /** Whether the values are counts, so that the axis has only whole numbers. */
  readonly areCounts?: boolean;
  readonly step: number;
  readonly data: uPlot.AlignedData;
  readonly options: (frame: Frame) => OwnOptions;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = frame.current!;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(element, { step, areCounts }, options), data, element);
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
  }, [step, data[0].length]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={frame} class="plot" role="img" aria-label={label} />;
}

function optionsOf(
  element: HTMLElement,
  { step, areCounts }: { readonly step: number; readonly areCounts: boolean },
  own: (frame: Frame) => OwnOptions,
): uPlot.Options {
  const { fontFamily } = getComputedStyle(element);
  const colour = (name: string): string => {
    // A canvas does not support light-dark(), but the browser resolves light-dark() in the style of an element.
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    element.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };
  const axis = {
    font: `11px ${fontFamily}`,
    stroke: colour('--ink-3'),
    ticks: { show: false },
    border: { show: false },
  };
  const isDays = step > 3600;
  return {
    width: element.clientWidth,
    height,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { time: true },
      y: { range: (_, least, most) => [Math.min(0, least), Math.max(areCounts ? 4 : 0, most * 1.08) || 1] },
    },
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
        values: (_, figures) =>
          figures.map((figure) => (Number.isInteger(figure) ? count(figure) : areCounts ? '' : String(figure))),
      },
    ],
    ...own({ font: fontFamily, colour }),
  };
}
