import { excerpt } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { type LeafKeys, leafKeys, readSteps, type Step } from '#query';
import { refused } from '../reading/parameters';

/** A property of nodes by which nodes are chosen, counted and sorted. */
export type NodeField =
  | { readonly kind: 'status' | 'environment'; readonly name: string }
  | { readonly kind: 'fact'; readonly name: string; readonly keys: LeafKeys };

const factPrefix = 'fact:';

/** Reads a field such as `status`, `environment` or `fact:os.name`. Throws `query.parameter` or `query.limit`. */
export function readNodeField(name: string, limits: Limits): NodeField {
  if (name === 'status' || name === 'environment') return { kind: name, name };
  if (name.startsWith(factPrefix))
    return { kind: 'fact', name, keys: readFactPath(name.slice(factPrefix.length), limits).keys };
  throw refused(
    `'${excerpt(name)}' is not a field of nodes.`,
    'Fields are status, environment and fact:<path>, such as fact:os.name.',
  );
}

export interface FactPath {
  readonly steps: readonly Step[];
  readonly keys: LeafKeys;
}

/** Reads the dotted path of a fact, such as `os.release."a.b"`. Throws `query.parameter` or `query.limit`. */
export function readFactPath(text: string, limits: Limits): FactPath {
  checkLimit(limits, 'queryName', text.length);
  const steps = readSteps(text);
  checkLimit(limits, 'queryPathSteps', steps.length);
  const keys = leafKeys(steps);
  if (text === '' || keys === undefined)
    throw refused(
      `'${excerpt(text)}' is not the path of a fact.`,
      'A path has names with dots between them, such as os.release.major. A name with a dot is quoted: os."a.b".',
    );
  return { steps, keys };
}
