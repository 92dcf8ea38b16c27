import type { Language } from '../operators/language';
import type { Column, FunctionCall } from './ast';
import { type AstJson, displayAst, isList } from './json';
import { malformed, meantHint } from './malformed';
import { fieldRef } from './shape';

export function checkColumns(ast: AstJson, language: Language): Column[] {
  if (!isList(ast)) return [column(ast, language)];
  if (ast[0] === 'function') return [column(ast, language)];
  return ast.map((one) => column(one, language));
}

export function column(ast: AstJson, language: Language): Column {
  if (isList(ast) && ast[0] === 'function') return functionCall(ast, language);
  return { kind: 'field', field: fieldRef(ast) };
}

export function functionCall(ast: readonly AstJson[], language: Language): FunctionCall {
  const [, name, field, template, ...rest] = ast;
  const called = typeof name === 'string' ? language.queryFunction(name) : undefined;
  if (typeof name !== 'string' || called === undefined)
    throw malformed(
      'function',
      `${displayAst(name ?? null)} is not a function. Known functions are ${language.functionNames.join(', ')}`,
      meantHint(name, language.functionNames),
    );
  const { takesTemplate = false, withoutField } = called;
  if (rest.length > 0 || (template !== undefined && !takesTemplate))
    throw malformed('arguments', `Function '${name}' takes fewer arguments than ${displayAst(ast)} has`);
  if (field === undefined) {
    if (withoutField === undefined) throw malformed('arguments', `Function '${name}' requires a field`);
    return { kind: 'call', name };
  }
  if (!takesTemplate) return { kind: 'call', name, field: fieldRef(field) };
  if (typeof template !== 'string') throw malformed('arguments', `Function '${name}' requires a field and a format`);
  return { kind: 'call', name, field: fieldRef(field), template };
}
