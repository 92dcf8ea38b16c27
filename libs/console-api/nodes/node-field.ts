import { excerpt } from '#fault';
import type { Limits } from '#limits';
import { type LeafKeys, readFactPath, refusedParameter } from '#query';

export type NodeField =
  | { readonly kind: 'status' | 'environment'; readonly name: string }
  | { readonly kind: 'fact'; readonly name: string; readonly keys: LeafKeys };

const factPrefix = 'fact:';

/** Parses a field such as `status`, `environment` or `fact:os.name`. Throws `query.parameter` or `query.limit`. */
export function readNodeField(name: string, limits: Limits): NodeField {
  if (name === 'status' || name === 'environment') return { kind: name, name };
  if (name.startsWith(factPrefix))
    return { kind: 'fact', name, keys: readFactPath(name.slice(factPrefix.length), limits).keys };
  throw refusedParameter(
    `'${excerpt(name)}' is not a field of nodes.`,
    'Fields are status, environment and fact:<path>, such as fact:os.name.',
  );
}
