import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

interface FactsetIdentity {
  readonly certname: string;
  readonly environment: string | null;
  /** The canonical text of the facts' map. */
  readonly values: string;
  /** Distinct and sorted. */
  readonly packages: readonly (readonly [string, string, string])[] | undefined;
}

/** The identity of a factset: what it says, not when and by whom. No packages and an empty list are the same. */
export function factsetHash({ certname, environment, values, packages }: FactsetIdentity): string {
  const inventory =
    packages === undefined || packages.length === 0 ? '' : `,"package_inventory":${inventoryText(packages)}`;
  return sha1(
    `{"certname":${encodeString(certname)},"environment":${environment === null ? 'null' : encodeString(environment)}${inventory},"values":${values}}`,
  );
}

/** The language's own writer and `encodeString` differ only where something is written as `\u`, or looks like it. */
function inventoryText(packages: readonly (readonly string[])[]): string {
  const text = JSON.stringify(packages);
  return text.includes('\\u') ? `[${packages.map((one) => `[${one.map(encodeString).join(',')}]`).join(',')}]` : text;
}
