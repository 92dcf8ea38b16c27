import { encodeString } from '../json/strings';

/**
 * The identity of a factset is the SHA-1 of a canonical text: what it says, not when and by whom. This is that text up to its
 * values. `inventory`: as in `inventoryText`; no packages and an empty list are the same, undefined.
 */
export function factsetHashBefore(certname: string, environment: string | null, inventory: string | undefined): string {
  const packages = inventory === undefined ? '' : `,"package_inventory":${inventory}`;
  return `{"certname":${encodeString(certname)},"environment":${environment === null ? 'null' : encodeString(environment)}${packages}`;
}

/** The rest of that text. `values`: the canonical text of the facts' map. */
export const factsetHashValues = (values: string): string => `,"values":${values}}`;

/**
 * The canonical text of distinct, sorted packages; `text` is what JSON.stringify makes of them. It differs only where
 * something is written as `\u`, or looks like it.
 */
export function inventoryText(packages: readonly (readonly string[])[], text: string): string {
  return text.includes('\\u') ? `[${packages.map((one) => `[${one.map(encodeString).join(',')}]`).join(',')}]` : text;
}
