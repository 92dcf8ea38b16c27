const words: Readonly<Record<string, string>> = { f: 'failed', c: 'changed', n: 'no-op', u: 'unchanged', m: 'missing' };
const heights: Readonly<Record<string, number>> = { f: 16, c: 9, n: 6, u: 3 };

export function RunsStrip({ runs }: { readonly runs: string }) {
  const letters = [...runs.slice(-14)];
  const counts = Object.entries(words)
    .map(([letter, word]) => [letters.filter((one) => one === letter).length, word] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`);
  return (
    <svg
      class="runs"
      width="96"
      height="16"
      viewBox="0 0 96 16"
      role="img"
      aria-label={letters.length === 0 ? 'No runs' : `Last runs: ${counts.join(', ')}`}
    >
      {letters.map((letter, index) => {
        const height = heights[letter] ?? 2;
        return (
          <rect
            key={index}
            class={letter}
            x={(14 - letters.length + index) * 7}
            y={16 - height}
            width="5"
            height={height}
            rx="1.5"
          />
        );
      })}
    </svg>
  );
}
