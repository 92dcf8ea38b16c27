/** Returns whether a parsed JSON or YAML value is a map. Does not check the members of the map. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
