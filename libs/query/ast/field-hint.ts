import { excerpt, nearest } from '#fault';

const trees = ['facts', 'trusted', 'parameters'];

export function fieldHint(name: string, known: readonly string[]): string | undefined {
  const call = /^(\w+)\(\w*\)$/.exec(name.slice(0, 100));
  if (call) return `A function is a list: ["function", "${call[1]}"] or ["function", "${call[1]}", field].`;
  if (name.startsWith('["')) return 'Pairs are ["fact", name] and ["parameter", name].';
  const dot = name.indexOf('.');
  const tree = dot < 1 ? undefined : nearest(name.slice(0, dot), trees);
  if (tree === undefined) return undefined;
  const path = excerpt(name.slice(dot + 1));
  if (known.includes(tree)) return `Did you mean '${tree}.${path}'?`;
  if (tree === 'parameters') return 'Parameters belong to resources, in PQL resources { parameters.ensure = … }.';
  if (tree === 'trusted') return 'Trusted data belong to inventory, in PQL inventory { trusted.certname = … }.';
  return `For a fact of the node write ["fact", "${path}"], in PQL inventory { facts.${path} = … }.`;
}
