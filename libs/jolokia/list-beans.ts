import { illegalArgument } from './jolokia-error';
import type { JsonValue, MBean } from './mbean';
import { joinParts } from './path-parts';
import { fits, withoutStarRuns } from './object-name';

type Listed = Record<string, JsonValue>;
const members = ['attr', 'op', 'not', 'class', 'desc'];
const objectNameOperation = { args: [], ret: 'javax.management.ObjectName', desc: 'Operation exposed for management' };

/**
 * Returns the description of MBeans. `path` selects all domains, one domain, one MBean, or a part of an MBean. Throws
 * JolokiaError.
 */
export function listBeans(beans: Iterable<MBean>, path: readonly string[], maxDepth: number | undefined): JsonValue {
  const [domain, properties, part, member, ...more] = path;
  if (path.at(-1) === '*' || (domain !== undefined && domain !== '*' && path.includes('*')))
    throw illegalArgument(`Path '${joinParts(path)}' must not end with a wildcard`);
  if (domain?.includes(':') === true)
    throw illegalArgument(`Invalid path within the MBean part given. (Path: ${joinParts(path)})`);
  if (more.length > 0)
    throw illegalArgument(`Path contains extra elements not usable for a list request: [${more.join(', ')}]`);
  // Prepares the pattern only once, because a client may send a long pattern.
  const domainPattern = domain === undefined ? undefined : withoutStarRuns(domain);
  const found: Record<string, Record<string, () => Listed>> = {};
  for (const bean of beans) {
    for (const name of bean.alias === undefined ? [bean.name] : [bean.name, bean.alias]) {
      // An MBean is listed under its alias only if the request names a domain.
      if (domainPattern === undefined ? name !== bean.name : !fits(domainPattern, name.domain)) continue;
      if (properties !== undefined && name.propertyList !== properties) continue;
      (found[name.domain] ??= {})[name.propertyList] = () => described(bean);
    }
  }
  const depth = maxDepth ?? Infinity;
  if (domain === undefined) return mapped(found, depth, (list, left) => listed(list, left));
  const inDomain = Object.assign({}, ...Object.values(found)) as Record<string, () => Listed>;
  if (properties === undefined) return listed(inDomain, depth);
  const make = Object.hasOwn(inDomain, properties) ? inDomain[properties] : undefined;
  if (make === undefined) throw illegalArgument(`No MBean '${domain}:${properties}' found`);
  if (part === undefined) return cut(make(), depth);
  if (!members.includes(part)) throw illegalArgument(`Illegal path element ${part}`);
  const value = make()[part];
  if (member === undefined) return value ?? {};
  const inner =
    typeof value === 'object' && value !== null && Object.hasOwn(value, member) ? (value as Listed)[member] : undefined;
  if (inner === undefined) throw illegalArgument('Path given but extracted value is empty');
  return inner;
}

function described(bean: MBean): Listed {
  const attributes: Listed = {};
  for (const [name, { type, description }] of bean.attributes)
    attributes[name] = { rw: false, type, desc: description };
  return {
    op: { objectName: objectNameOperation },
    attr: attributes,
    class: bean.className,
    desc: bean.description,
  };
}

const listed = (beans: Record<string, () => Listed>, depth: number): JsonValue =>
  mapped(beans, depth, (make, left) => cut(make(), left));

/** Converts a map to JSON with at most `depth` levels. At the last level, each value is replaced by `1`. */
function mapped<T>(map: Record<string, T>, depth: number, value: (from: T, left: number) => JsonValue): JsonValue {
  const listed: Listed = {};
  for (const [key, from] of Object.entries(map)) listed[key] = depth <= 1 ? '1' : value(from, depth - 1);
  return listed;
}

function cut(value: Listed, depth: number): JsonValue {
  if (depth === Infinity) return value;
  const listed: Listed = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) listed[key] = inner;
    else listed[key] = depth <= 1 ? '1' : cut(inner as Listed, depth - 1);
  }
  return listed;
}
