export const Meter = ({
  share,
  tone,
  words,
}: {
  readonly share: number;
  readonly tone: 'data' | 'stale';
  readonly words: string;
}) => (
  <svg class="meter-line" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={words}>
    <rect class="back" width="100" height="4" />
    <rect class={tone} width={share} height="4" />
  </svg>
);
