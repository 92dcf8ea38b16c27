import type { Hash } from 'node:crypto';
import { encodeString } from '../json/strings';

/**
 * Returns the beginning of the canonical text of a factset, up to its values. `inventory` is the result of
 * `inventoryText`, and is undefined if there are no packages.
 */
export function factsetStart(certname: string, environment: string | null, inventory: string | undefined): string {
  const packages = inventory === undefined ? '' : `,"package_inventory":${inventory}`;
  return `{"certname":${encodeString(certname)},"environment":${environment === null ? 'null' : encodeString(environment)}${packages},"values":`;
}

/**
 * The hash covers neither times nor producer. `start` is the unfinished SHA-1 of the text from `factsetStart`. `values`
 * is the canonical text of the map of facts.
 */
export const factsetHash = (start: Hash, values: string): string => start.update(`${values}}`).digest('hex');

/**
 * `packages` must be distinct and sorted. `text` is their text from JSON.stringify, which differs from the canonical
 * text only in `\u` escapes.
 */
export function inventoryText(packages: readonly (readonly string[])[], text: string): string {
  return text.includes('\\u') ? `[${packages.map((one) => `[${one.map(encodeString).join(',')}]`).join(',')}]` : text;
}
