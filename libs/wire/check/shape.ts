export interface Shape<K extends string = string> {
  readonly names: readonly K[];
  readonly required: readonly boolean[];
  /** Maps each name and each alias to its index in `names`. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether members with other names are ignored instead of refused. */
  readonly open: boolean;
}

export function shape<R extends string, O extends string = never>(
  required: readonly R[],
  optional: readonly O[] = [],
  options: { readonly open?: boolean; readonly aliases?: Readonly<Record<string, R | O>> } = {},
): Shape<R | O> {
  const names: (R | O)[] = [...required, ...optional];
  const places = new Map<string, number>(names.map((name, place) => [name, place]));
  for (const [alias, name] of Object.entries(options.aliases ?? {})) places.set(alias, names.indexOf(name));
  return { names, required: names.map((_, place) => place < required.length), places, open: options.open ?? false };
}
