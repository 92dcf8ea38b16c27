import { excerpt, nearest } from '#fault';
import { lineAndColumn } from '../ast/source-line';
import { pqlEntities } from './entities';

export function advice(text: string, at: number, expected: ReadonlySet<string>): string {
  const hint = at >= text.length ? unclosed(text) : adviceAt(text, at, expected);
  return hint === '' ? '' : ` ${hint}`;
}

function adviceAt(text: string, at: number, expected: ReadonlySet<string>): string {
  const character = text.charAt(at);
  const word = wordAt(text, at);
  if (/[“”„‘’«»]/.test(character)) return `Quotes are " or ', not ${character}.`;
  if (expected.has("'and'") && (character === '&' || character === '|'))
    return "Conditions are joined by 'and' and 'or'.";
  if (expected.has("'desc'") && /^(?:asc|desc)/i.test(word)) return "Write 'asc' or 'desc'.";
  if (expected.has('a quoted text')) return valueAdvice(text, at, word);
  if (expected.has("'['") && /\bin\s*$/.test(lineBefore(text, at))) return 'Write a list of values in [ ]: ["a", "b"].';
  if (expected.has("'is null'")) return operatorAdvice(text, at, word, expected);
  if (expected.has('a field') && (character === '"' || character === "'"))
    return /\b(?:and|or)\s*$/.test(lineBefore(text, at))
      ? 'Each condition names its field: certname = "a" or certname = "b".'
      : 'The name of a field has no quotes.';
  if (expected.has("'nodes'") && /^select$/i.test(word))
    return 'A query begins with its entity: nodes[certname] { … }.';
  if (expected.has('the end of the query') && /[)\]}]/.test(character)) return `This ${character} closes nothing.`;
  return '';
}

function valueAdvice(text: string, at: number, word: string): string {
  const before = text.charAt(at - 1);
  if (text.startsWith('=', at) && before === '=') return "Equality is written '=', not '=='.";
  if (text.startsWith('>', at) && before === '<') return "The opposite of '=' is written '!='.";
  if (/^(?:null|nil|none)$/i.test(word)) return "Write 'is null' or 'is not null' behind the field.";
  if (/^(?:true|false)$/i.test(word)) return `Write ${word.toLowerCase()}.`;
  return word === '' ? '' : `Put text in quotes: "${excerpt(word)}".`;
}

function operatorAdvice(text: string, at: number, word: string, expected: ReadonlySet<string>): string {
  const name = /([\w.]+)\s*$/.exec(lineBefore(text, at))?.[1] ?? '';
  if (/^not$/i.test(name)) return 'Negation is written \'!\': !(certname = "a").';
  if (/^is$/i.test(word)) return "Write 'is null' or 'is not null'.";
  if (/^ilike$/i.test(word) && expected.has("'~*'")) return `Write '~*' and a regular expression: certname ~* "^web".`;
  if (/^i?like$/i.test(word)) return `Write '~' and a regular expression: certname ~ "^web".`;
  const entity = text.startsWith('{', at) ? nearest(name, pqlEntities) : undefined;
  return entity === undefined ? '' : `Did you mean the entity '${entity}'?`;
}

const wordAt = (text: string, at: number): string => {
  const word = /[\w.:-]*/y;
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? '';
};

/** 100 characters are enough for a name. */
const lineBefore = (text: string, at: number): string => text.slice(Math.max(0, at - 100), at);

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

function unclosed(text: string): string {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") {
      const start = at;
      at = endOfString(text, start);
      if (at >= text.length) return `The ${character} at ${lineAndColumn(text, start)} is not closed.`;
    }
    if (closing[character] !== undefined) open.push(at);
    else if (character === closing[text.charAt(open.at(-1) ?? text.length)]) open.pop();
  }
  if (/(?:facts|trusted|parameters)\.[^\s"]*[)}]$/.test(lineBefore(text, text.length)))
    return `A dotted name ends at the next blank: write a blank before the ${text.slice(-1)}.`;
  const last = open.at(-1);
  if (last === undefined) return '';
  return `The '${text.charAt(last)}' at ${lineAndColumn(text, last)} is not closed.`;
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at;
}
