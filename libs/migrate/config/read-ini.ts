/**
 * Comment lines begin with `#` or `;`. A value is everything after the first `=`, because passwords can contain any
 * character.
 */
export interface IniValue {
  readonly section: string;
  readonly name: string;
  readonly value: string;
  /** Lines are counted from 1. */
  readonly line: number;
}

export interface IniContent {
  readonly values: readonly IniValue[];
  /** Lines that are not a section, a value or a comment. */
  readonly strange: readonly number[];
}

export function readIni(text: string): IniContent {
  const values: IniValue[] = [];
  const strange: number[] = [];
  let section = '';
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      section = line.slice(1, -1).trim();
      continue;
    }
    const equals = line.indexOf('=');
    if (equals <= 0) {
      strange.push(index + 1);
      continue;
    }
    const [name, value] = [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
    values.push({ section, name, value, line: index + 1 });
  }
  return { values, strange };
}
