import { type AstJson, NumberText, stringifyAst } from '#query';
import type { ValueChange, ValuePath } from './value-changes';

export function jsonObject(members: Readonly<Record<string, AstJson | undefined>>): AstJson {
  const object = new Map<string, AstJson>();
  for (const name in members) if (members[name] !== undefined) object.set(name, members[name]);
  return object;
}

export const changeItem = (one: ValueChange): AstJson =>
  jsonObject({
    change: one.change,
    path: pathJson(one.path),
    old: one.change === 'added' ? undefined : one.old,
    new: one.change === 'removed' ? undefined : one.new,
  });

const pathJson = (path: ValuePath): AstJson =>
  path.map((element) => (typeof element === 'number' ? new NumberText(String(element)) : element));

const signs = { added: '+', removed: '-', changed: '~' } as const;
const longestShown = 200;

export function shownValue(value: AstJson): string {
  const text = stringifyAst(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length} characters)` : text;
}

export function changeLine(one: ValueChange, indent = ''): string {
  const begin = `${indent}${signs[one.change]} ${dottedPath(one.path)}`;
  switch (one.change) {
    case 'added':
      return `${begin}: ${shownValue(one.new)}`;
    case 'removed':
      return `${begin}: ${shownValue(one.old)}`;
    case 'changed':
      return `${begin}: ${shownValue(one.old)} → ${shownValue(one.new)}`;
  }
}

export const signedLine = (change: ValueChange['change'], text: string): string => `${signs[change]} ${text}`;

/** Formats a path in the syntax of queries: `os.release."a.b"[0]`. */
export const dottedPath = (path: ValuePath): string =>
  path
    .map((element, index) =>
      typeof element === 'number'
        ? `[${element}]`
        : `${index === 0 ? '' : '.'}${/^[^."[\]]+$/.test(element) ? element : JSON.stringify(element)}`,
    )
    .join('');
