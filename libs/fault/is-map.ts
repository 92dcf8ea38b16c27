/** Returns whether the value is an object and not a list. Does not check the members of the object. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
