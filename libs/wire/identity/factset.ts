import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * Returns the hash of a factset: the SHA-1 of its content without times and producer. `inventory` is the result of
 * `inventoryText`, and is undefined if there are no packages. `values` is the canonical text of the map of facts.
 */
export function factsetHash(
  certname: string,
  environment: string | null,
  inventory: string | undefined,
  values: string,
): string {
  const packages = inventory === undefined ? '' : `,"package_inventory":${inventory}`;
  return sha1(
    `{"certname":${encodeString(certname)},"environment":${environment === null ? 'null' : encodeString(environment)}${packages},"values":${values}}`,
  );
}

/**
 * Returns the canonical text of distinct, sorted packages. `text` is the result of JSON.stringify for the packages,
 * which differs from the canonical text only in `\u` escapes.
 */
export function inventoryText(packages: readonly (readonly string[])[], text: string): string {
  return text.includes('\\u') ? `[${packages.map((one) => `[${one.map(encodeString).join(',')}]`).join(',')}]` : text;
}
