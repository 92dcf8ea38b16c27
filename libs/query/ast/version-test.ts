import { excerpt } from '#fault';
import type { Language } from '../operators/language';
import type { Condition, VersionTest } from './ast';
import { type AstJson, displayAst, isList, NumberText } from './json';
import { malformed } from './malformed';
import { fieldRef } from './shape';

export const versionOperators: readonly string[] = ['=', '!=', '<', '>', '<=', '>='];

/** The SQL function version_key has this limit, too. */
export const longestVersion = 256;

const form = 'Write ["<", ["function", "version", field], "3.0.9"], in PQL version(field) < version("3.0.9").';

/** Accepts a call without a field, which `checkVersionTest` then refuses. */
export const isVersionCall = (left: AstJson | undefined, language: Language): left is readonly AstJson[] =>
  isList(left) && left[0] === 'function' && left[1] === 'version' && language.has('versions');

/**
 * Reads `[operator, ["function", "version", field], version]`. Throws `query.arguments`, `query.operator`, or
 * `query.value` if the text is not a version.
 */
export function checkVersionTest(source: AstJson, operator: string, [left, value]: readonly AstJson[]): Condition {
  const [, , field, ...rest] = isList(left) ? left : [];
  if (field === undefined || rest.length > 0)
    throw malformed('arguments', "Function 'version' requires exactly one field", { hint: form });
  if (!versionOperators.includes(operator))
    throw malformed('operator', `Query operator ${excerpt(operator)} is not allowed on version(${displayAst(field)})`, {
      hint: `Versions are compared by ${versionOperators.join(' ')}.`,
    });
  if (!isList(source) || source.length !== 3)
    throw malformed('arguments', `${operator} requires exactly two arguments`, { hint: form });
  const test: VersionTest = {
    operator: operator === '!=' ? '=' : (operator as VersionTest['operator']),
    version: version(value),
  };
  const condition = { kind: 'version', field: fieldRef(field), test, source } as const;
  return operator === '!=' ? { kind: 'not', member: condition, source } : condition;
}

function version(value: AstJson | undefined): string {
  if (typeof value !== 'string')
    throw malformed('value', `A version is compared with a version in quotes, not with ${displayAst(value ?? null)}`, {
      hint: value instanceof NumberText ? `Write "${excerpt(value.text)}".` : form,
    });
  if (!/[0-9]/.test(value)) throw malformed('value', `${displayAst(value)} is not a version: it has no digit`);
  if ([...value].length > longestVersion)
    throw malformed('value', `The version has ${[...value].length} characters; at most ${longestVersion} are allowed.`);
  return value;
}
