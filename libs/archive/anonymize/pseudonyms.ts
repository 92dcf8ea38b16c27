import { createHmac } from 'node:crypto';
import { JsonNumber } from './json-tree';

/** Equal values with different meanings get different pseudonyms. */
export type Meaning =
  | 'node'
  | 'type'
  | 'title'
  | 'name'
  | 'fact'
  | 'value'
  | 'message'
  | 'file'
  | 'line'
  | 'uuid'
  | 'environment'
  | 'code'
  | 'job'
  | 'version'
  | 'package'
  | 'input'
  | 'word';

/**
 * Largest number of cached pseudonyms. The cache helps because the documents of many nodes contain the same resources.
 */
const mostRemembered = 50_000;
const longestRemembered = 200;

const lower = 'abcdefghijklmnopqrstuvwxyz';
const mixed = `${lower}${lower.toUpperCase()}`;

/**
 * Computes pseudonyms with a keyed hash. Equal values get equal pseudonyms, so that joins between documents still work.
 * Without the key, nobody can verify a guessed value. The length of a pseudonym does not depend on the value.
 */
export class Pseudonyms {
  private readonly remembered = new Map<string, string>();

  constructor(private readonly key: Buffer) {}

  word(meaning: Meaning, value: string, length = 16): string {
    return this.made(`${meaning}/${length}\0${value}`, (digest) => letters(digest, lower, 0, length));
  }

  /** Uses upper and lower case, because two titles of one type can differ only in case. */
  mixed(meaning: Meaning, value: string): string {
    return this.made(`${meaning}/mixed\0${value}`, (digest) => letters(digest, mixed, 0, 16));
  }

  node(certname: string): string {
    const parts = (digest: Buffer): string =>
      [letters(digest, lower, 0, 10), letters(digest, lower, 10, 15), letters(digest, lower, 25, 3)].join('.');
    return this.made(`node\0${certname}`, parts);
  }

  /** Returns one capitalized word, even for a type with several parts such as `Apache::Vhost`. */
  type(type: string): string {
    const word = this.word('type', type, 12);
    return `${word[0]!.toUpperCase()}${word.slice(1)}`;
  }

  file(path: string): string {
    const parts = (digest: Buffer): string =>
      `/etc/puppet/modules/${letters(digest, lower, 0, 12)}/manifests/${letters(digest, lower, 12, 12)}.pp`;
    return this.made(`file\0${path}`, parts);
  }

  uuid(uuid: string): string {
    return this.made(`uuid\0${uuid.toLowerCase().replaceAll(/[{}-]/g, '')}`, (digest) =>
      digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    );
  }

  hex(meaning: Meaning, value: string): string {
    return this.made(`${meaning}/hex\0${value}`, (digest) => digest.toString('hex', 0, 20));
  }

  boolean(meaning: Meaning, value: boolean): boolean {
    return (this.digest(`${meaning}/boolean\0${value}`)[0]! & 1) === 1;
  }

  /**
   * The result is not negative. A whole number becomes a whole number less than the given number, or less than 20 if
   * the given number is smaller than 20.
   */
  number(meaning: Meaning, { text }: JsonNumber): JsonNumber {
    const random = this.digest(`${meaning}/number\0${text}`);
    const size = Math.min(Math.abs(Number(text)), 1_000_000_000);
    if (!/[.eE]/.test(text)) return new JsonNumber(String(random.readUInt32BE(0) % Math.max(Math.floor(size), 20)));
    // With these limits, the number is between 0.0010 and a million, so it needs no exponent.
    const whole = random.readUInt32BE(0) % Math.max(Math.floor(Math.min(size, 1_000_000)), 1);
    const fraction = String(10 + (random.readUInt32BE(4) % 9_990)).padStart(4, '0');
    return new JsonNumber(`${whole}.${fraction.replace(/0+$/, '')}`);
  }

  private made(name: string, make: (digest: Buffer) => string): string {
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const pseudonym = make(this.digest(name));
    if (name.length <= longestRemembered) {
      if (this.remembered.size >= mostRemembered) this.remembered.clear();
      this.remembered.set(name, pseudonym);
    }
    return pseudonym;
  }

  private digest(name: string): Buffer {
    return createHmac('sha256', this.key).update(name).digest();
  }
}

function letters(digest: Buffer, alphabet: string, from: number, count: number): string {
  let text = '';
  for (const byte of digest.subarray(from, from + count)) text += alphabet[byte % alphabet.length];
  return text;
}
