import type { ComponentChildren } from 'preact';
import type { Status } from '../service/shapes';

export type Tone = 'failed' | 'stale' | 'changed' | 'noop' | 'unchanged' | 'good';

const tick: ComponentChildren = (
  <>
    <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" stroke-width="1.4" />
    <path
      d="M4.600 7.200 6.300 9l3.200-3.600"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </>
);

const shapes: Readonly<Record<Tone, ComponentChildren>> = {
  failed: (
    <>
      <path fill="currentColor" d="M4.200.5h5.600l3.700 3.700v5.600l-3.700 3.700H4.200L.5 9.800V4.200z" />
      <path
        class="cross"
        stroke-width="1.7"
        stroke-linecap="round"
        d="M4.800 4.800l4.400 4.400M9.200 4.800 4.800 9.200"
      />
    </>
  ),
  changed: (
    <path
      fill="currentColor"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linejoin="round"
      d="M7 2 12.700 12H1.300z"
    />
  ),
  unchanged: tick,
  noop: (
    <path
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linejoin="round"
      d="M7 1.200 12.800 7 7 12.800 1.200 7z"
    />
  ),
  stale: (
    <>
      <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 1.8" />
      <path d="M7 4v3.300l2 1.200" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" />
    </>
  ),
  good: tick,
};

export const toneOf: Readonly<Record<Status, Tone>> = {
  failed: 'failed',
  unreported: 'stale',
  changed: 'changed',
  noop: 'noop',
  unchanged: 'unchanged',
};

export const statusWords: Readonly<Record<Status, string>> = {
  failed: 'Failed',
  unreported: 'Unreported',
  changed: 'Changed',
  noop: 'No-op',
  unchanged: 'Unchanged',
};

export function Shape({ tone }: { readonly tone: Tone }) {
  return (
    <svg class={`shape ${tone}`} viewBox="0 0 14 14" aria-hidden="true">
      {shapes[tone]}
    </svg>
  );
}

export function Mark({
  tone,
  box,
  children,
}: {
  readonly tone: Tone;
  readonly box?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`st ${tone}${box === true ? ' box' : ''}`}>
      <Shape tone={tone} />
      {children}
    </span>
  );
}

export function StatusMark({ status, box = false }: { readonly status: Status; readonly box?: boolean }) {
  return (
    <Mark tone={toneOf[status]} box={box}>
      {statusWords[status]}
    </Mark>
  );
}
