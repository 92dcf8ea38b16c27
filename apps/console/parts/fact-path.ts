export interface FactLeaf {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Empty maps and lists are leaves, too. */
export function flatten(path: readonly (string | number)[], value: unknown, most: number): readonly FactLeaf[] {
  const leaves: FactLeaf[] = [];
  const visit = (at: readonly (string | number)[], inner: unknown): void => {
    if (leaves.length >= most) return;
    if (typeof inner !== 'object' || inner === null) {
      leaves.push({ path: at, value: inner });
      return;
    }
    const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(inner)
      ? inner.map((element, index) => [index, element] as const)
      : Object.entries(inner);
    if (entries.length === 0) leaves.push({ path: at, value: inner });
    for (const [key, element] of entries) visit([...at, key], element);
  };
  visit(path, value);
  return leaves;
}

/** Formats a path for queries: indexes are in brackets, and names with special characters are in quotes. */
export const dotted = (path: readonly (string | number)[]): string =>
  path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const name = /^[^."[\]\s]+$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
