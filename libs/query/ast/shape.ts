import type { FieldRef } from './ast';
import { type AstJson, displayAst, isList, isMap, NumberText } from './json';
import { malformed } from './malformed';
import { noOperatorHint } from './operator-hint';

export function operation(ast: AstJson): { operator: string; operands: readonly AstJson[] } {
  if (!isList(ast))
    throw malformed('shape', `${displayAst(ast)} is not well-formed: a query is an array`, {
      hint: noOperatorHint(ast),
    });
  const [operator, ...operands] = ast;
  if (operator === undefined)
    throw malformed('shape', '[] is not well-formed: queries must contain at least one operator');
  if (typeof operator !== 'string')
    throw malformed(
      'operator',
      `${displayAst(ast)} is not well-formed: query operator '${displayAst(operator)}' is unknown`,
      { hint: noOperatorHint(operator) },
    );
  return { operator: operator.toLowerCase(), operands };
}

export function fieldRef(ast: AstJson): FieldRef {
  if (typeof ast === 'string') return { kind: 'name', name: ast };
  if (isList(ast)) {
    const [container, key] = ast;
    if (ast.length === 2 && typeof container === 'string' && (typeof key === 'string' || key instanceof NumberText))
      return { kind: 'keyed', container, key: typeof key === 'string' ? key : key.text };
    throw malformed('field', `${displayAst(ast)} is not a field: a name, or a pair such as ["fact" "kernel"]`);
  }
  if (isMap(ast)) throw malformed('field', `${displayAst(ast)} is not a field`);
  return { kind: 'name', name: ast instanceof NumberText ? ast.text : String(ast) };
}
