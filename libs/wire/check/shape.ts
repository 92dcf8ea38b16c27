export interface Shape<K extends string = string> {
  readonly names: readonly K[];
  readonly required: readonly boolean[];
  /** Maps each name and each alias to its index in `names`. */
  readonly indexes: ReadonlyMap<string, number>;
  /** Whether members with other names are ignored instead of refused. */
  readonly open: boolean;
}

export function shape<R extends string, O extends string = never>(
  required: readonly R[],
  optional: readonly O[] = [],
  options: { readonly open?: boolean; readonly aliases?: Readonly<Record<string, R | O>> } = {},
): Shape<R | O> {
  const names: (R | O)[] = [...required, ...optional];
  const indexes = new Map<string, number>(names.map((name, index) => [name, index]));
  for (const [alias, name] of Object.entries(options.aliases ?? {})) indexes.set(alias, names.indexOf(name));
  return { names, required: names.map((_, index) => index < required.length), indexes, open: options.open ?? false };
}
