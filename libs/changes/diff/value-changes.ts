import { type AstJson, isList, isMap, stringifyAst } from '#query';

export type ValuePath = readonly (string | number)[];

export type ValueChange =
  | { readonly change: 'added'; readonly path: ValuePath; readonly new: AstJson }
  | { readonly change: 'removed'; readonly path: ValuePath; readonly old: AstJson }
  | { readonly change: 'changed'; readonly path: ValuePath; readonly old: AstJson; readonly new: AstJson };

/**
 * Returns the changes that convert `from` to `to`. A client can apply them in this order, so the last element of a list
 * is removed first. `undefined` means that the value is absent.
 */
export function valueChanges(from: AstJson | undefined, to: AstJson | undefined, path: ValuePath = []): ValueChange[] {
  const changes: ValueChange[] = [];
  collect(from, to, [...path], changes);
  return changes;
}

function collect(
  from: AstJson | undefined,
  to: AstJson | undefined,
  path: (string | number)[],
  changes: ValueChange[],
): void {
  const member = (key: string | number, old: AstJson | undefined, next: AstJson | undefined): void => {
    path.push(key);
    collect(old, next, path, changes);
    path.pop();
  };
  if (from === undefined) {
    if (to !== undefined) changes.push({ change: 'added', path: [...path], new: to });
  } else if (to === undefined) changes.push({ change: 'removed', path: [...path], old: from });
  else if (isMap(from) && isMap(to)) {
    for (const [key, old] of from) member(key, old, to.get(key));
    for (const [key, next] of to) if (!from.has(key)) member(key, undefined, next);
  } else if (isList(from) && isList(to)) {
    const common = Math.min(from.length, to.length);
    for (let index = 0; index < common; index++) member(index, from[index], to[index]);
    for (let index = from.length - 1; index >= common; index--) member(index, from[index], undefined);
    for (let index = common; index < to.length; index++) member(index, undefined, to[index]);
  } else if (isMap(from) || isList(from) || isMap(to) || isList(to) || stringifyAst(from) !== stringifyAst(to))
    changes.push({ change: 'changed', path: [...path], old: from, new: to });
}
