import type { ComponentChildren } from 'preact';

const stroke = (d: string, width?: number): ComponentChildren => (
  <path d={d} {...(width && { 'stroke-width': width })} />
);

const icons = {
  overview: stroke('M2 13.500V8.500M6 13.500v-9M10 13.500V7M14 13.500v-11'),
  nodes: (
    <>
      <rect x="2" y="2.5" width="12" height="4.5" rx="1" />
      <rect x="2" y="9" width="12" height="4.5" rx="1" />
      <path d="M4.500 4.800h.01M4.500 11.300h.01" />
    </>
  ),
  reports: stroke('M4 1.800h5.500L13 5.300v8.900H4zM6.500 8h4M6.500 11h4'),
  events: stroke('M8.800 1.500 3.500 9H8l-.8 5.500L12.500 7H8z'),
  facts: stroke('M2.500 4h.01M2.500 8h.01M2.500 12h.01M5.500 4h8M5.500 8h8M5.500 12h8'),
  packages: stroke('M8 1.500 14 4.500v7L8 14.500 2 11.500v-7zM2 4.500l6 3 6-3M8 7.500v7'),
  resources: (
    <>
      <circle cx="4" cy="8" r="2" />
      <circle cx="12" cy="3.5" r="2" />
      <circle cx="12" cy="12.5" r="2" />
      <path d="m5.800 7 4.400-2.500M5.800 9l4.400 2.500" />
    </>
  ),
  compare: stroke('M5 2v12M11 2v12M5 5H2.500M13.500 11H11M7 8h2'),
  drift: stroke('M2 4h12M2 8h6M2 12h12M10 8l2.500-1.500M10 8l2.500 1.500'),
  query: stroke('m5.500 4-4 4 4 4M10.500 4l4 4-4 4'),
  operation: (
    <>
      <path d="M2 3.500h12M2 8h7M2 12.500h10" />
      <circle cx="12.5" cy="8" r="1.2" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.500 10.500 3.500 3.500" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.500V8l2.500 1.500" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </>
  ),
  down: stroke('m4.500 6.500 3.500 3.500 3.500-3.500'),
  right: stroke('m6.500 4.500 3.500 3.500-3.500 3.500'),
  close: stroke('m5 5 6 6M11 5l-6 6'),
  more: stroke('M3 8h.01M8 8h.01M13 8h.01', 2.4),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3 10.500H2.500v-8h8V3" />
    </>
  ),
  play: stroke('M4.500 2.500v11l9-5.500z'),
  columns: (
    <>
      <path d="M2 5h8M14 5h-1M2 11h1M14 11H6" />
      <circle cx="11.5" cy="5" r="1.5" />
      <circle cx="4.5" cy="11" r="1.5" />
    </>
  ),
  people: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M11 3.500a2.300 2.300 0 0 1 0 4.300M12.500 9.800c1.300.6 2 1.900 2 3.700" />
    </>
  ),
} as const;

export type IconName = keyof typeof icons;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      {icons[name]}
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M3 4.500h14M3 10h8.500M3 15.500h14"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        fill="none"
      />
      <circle cx="15.5" cy="10" r="2.2" fill="currentColor" />
    </svg>
  );
}
