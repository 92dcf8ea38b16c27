import { isMap, type Json, JsonNumber, type JsonMap } from './json-tree';
import type { Rules } from './profiles';
import type { Meaning, Pseudonyms } from './pseudonyms';

const capitalized = (name: string): string =>
  name
    .split('::')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join('::');

const reference = /^([^[]+)\[(.*)\]$/s;

/**
 * Replaces values in the documents of one node. Every text that equals the node's name is replaced, even if no rule
 * replaces it.
 */
export class Replacements {
  constructor(
    readonly rules: Rules,
    readonly pseudonyms: Pseudonyms,
    private readonly certname: string,
  ) {}

  node(name: string): string {
    return this.pseudonyms.node(name);
  }

  unlessNode(text: string): string {
    return text === this.certname ? this.node(text) : text;
  }

  type(type: string): string {
    return this.rules.type(type) ? this.pseudonyms.type(type) : this.unlessNode(type);
  }

  /** A tag is the lower-case name of a type or class. */
  tag(tag: string): string {
    const type = capitalized(tag);
    return this.rules.type(type) ? this.pseudonyms.type(type).toLowerCase() : this.unlessNode(tag);
  }

  title(type: string, title: string): string {
    if (!this.rules.title(type) || title === this.certname) return this.unlessNode(title);
    // Replaces the title of a class in the same way as the name of a type, so that the class still matches its tags.
    if (type === 'Class' && title === capitalized(title)) return this.pseudonyms.type(title);
    return this.pseudonyms.mixed('title', title);
  }

  reference(text: string): string {
    const [, type, title] = reference.exec(text) ?? [];
    if (type === undefined || title === undefined) return this.title('', text);
    return `${this.type(type)}[${this.title(type, title)}]`;
  }

  contained(element: string): string {
    if (element === '') return element;
    return element.includes('[') ? this.reference(element) : this.title('Class', element);
  }

  parameterName(name: string): string {
    return this.rules.parameterName ? this.pseudonyms.word('name', name) : this.unlessNode(name);
  }

  file(path: string): string {
    return this.rules.file ? this.pseudonyms.file(path) : this.unlessNode(path);
  }

  line(line: JsonNumber): JsonNumber {
    return this.rules.line ? this.pseudonyms.number('line', line) : line;
  }

  environment(name: string): string {
    return this.rules.environment ? this.pseudonyms.word('environment', name) : name;
  }

  uuid(uuid: string): string {
    return this.rules.rest ? this.pseudonyms.uuid(uuid) : uuid;
  }

  rest(meaning: Meaning, text: string): string {
    return this.rules.rest ? this.pseudonyms.word(meaning, text) : this.unlessNode(text);
  }

  known(vocabulary: ReadonlySet<string>, text: string): string {
    return vocabulary.has(text) ? text : this.rest('word', text);
  }

  value(value: Json): Json {
    if (typeof value === 'string') {
      return value === this.certname ? this.node(value) : this.pseudonyms.mixed('value', value);
    }
    if (typeof value === 'boolean') return this.pseudonyms.boolean('value', value);
    if (value instanceof JsonNumber) return this.pseudonyms.number('value', value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (!isMap(value)) return null;
    return new Map([...value].map(([key, one]) => [this.pseudonyms.word('name', key), this.value(one)]));
  }

  /**
   * Replaces each text in `value` by the result of `replaceText`. Numbers and booleans are not names, so they are
   * replaced like other values.
   */
  names(value: Json, replaceText: (text: string) => string): Json {
    if (typeof value === 'string') return replaceText(value);
    if (Array.isArray(value)) return value.map((one) => this.names(one, replaceText));
    if (!isMap(value)) return this.value(value);
    return new Map([...value].map(([key, one]) => [replaceText(key), this.names(one, replaceText)]));
  }
}

export function change(map: JsonMap, name: string, replace: (text: string) => string): void {
  const value = map.get(name);
  if (typeof value === 'string') map.set(name, replace(value));
}

export const mapsOf = (value: Json | undefined): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);

export const textOf = (map: JsonMap, name: string): string => {
  const value = map.get(name);
  return typeof value === 'string' ? value : '';
};
