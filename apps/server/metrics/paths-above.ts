const known = new Map<string, readonly string[]>();

/** Returns the path of a route and all paths above it, such as `/pdb`, `/pdb/query` and `/pdb/query/v4`. */
export function pathsAbove(name: string): readonly string[] {
  let found = known.get(name);
  if (found === undefined) {
    const steps = name.split('/').slice(1);
    found = steps.map((_, at) => `/${steps.slice(0, at + 1).join('/')}`);
    known.set(name, found);
  }
  return found;
}
