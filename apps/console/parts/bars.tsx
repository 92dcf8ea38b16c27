import type { ComponentChildren } from 'preact';
import { count } from './text';

export interface Bar {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly figure: number;
  readonly figureText?: string;
  readonly href?: string;
  readonly isChosen?: boolean;
  readonly note?: ComponentChildren;
  readonly tone?: 'data' | 'line';
}

export function Bars({
  bars,
  most,
  label,
}: {
  readonly bars: readonly Bar[];
  readonly most?: number;
  readonly label: string;
}) {
  const longest = most ?? bars.reduce((longest, { figure }) => Math.max(longest, figure), 0);
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ key, label, figure, figureText, href, isChosen, note, tone = 'data' }) => {
        const content = (
          <>
            <span class="label trunc">{label}</span>
            <svg class="track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={tone}
                width={longest === 0 ? 0 : Math.min(100, Math.max(0.6, (figure / longest) * 100))}
                height="10"
                rx="0.6"
              />
            </svg>
            <span class="num">
              {figureText ?? count(figure)}
              {note}
            </span>
          </>
        );
        return (
          <li key={key}>
            {href === undefined ? (
              <span class="bar-row">{content}</span>
            ) : (
              <a class="bar-row" href={href} aria-current={isChosen === true ? 'true' : undefined}>
                {content}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
