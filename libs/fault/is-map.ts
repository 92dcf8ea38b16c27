/** Returns whether a parsed JSON or YAML value is a map. Its members must still be checked. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
