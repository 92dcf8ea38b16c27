const factors = { '': 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 } as const;
const binaryFactors = { k: 1 << 10, m: 1 << 20, g: 1 << 30 } as const;

export const byteSizeForm = 'a number of bytes, optionally with kB, MB, GB, KiB, MiB or GiB, such as 20MB';

/**
 * Reads a size such as `20000000`, `20 MB` or `16MiB`. Returns undefined if the text is not a whole number of bytes.
 */
export function readByteSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmg]?)b?|([kmg])ib)$/i.exec(text.trim());
  if (match === null) return undefined;
  const binary = match[3]?.toLowerCase() as keyof typeof binaryFactors | undefined;
  const decimal = (match[2] ?? '').toLowerCase() as keyof typeof factors;
  const bytes = Number(match[1]) * (binary === undefined ? factors[decimal] : binaryFactors[binary]);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Formats a size such as `850 B`, `32.8 kB`, `1.94 GB` or `13 TB`. */
export function showByteSize(bytes: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
