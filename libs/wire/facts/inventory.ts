import { createHash, hash, type Hash } from 'node:crypto';
import type { Limits } from '#limits';
import type { DocumentPart } from '../documents';
import { factsetStart, inventoryText } from '../identity/factset';
import { type CheckedPackages, type Package, readPackages } from './packages';

export interface Inventory {
  readonly count: number;
  readonly digest: Buffer | undefined;
  readonly packages: readonly Package[] | undefined;
  /** Returns an unfinished SHA-1 of the canonical text of the factset, up to its values. */
  startHash(certname: string, environment: string | null): Hash;
}

export const startHash = (certname: string, environment: string | null, inventory?: string): Hash =>
  createHash('sha1').update(factsetStart(certname, environment, inventory));

export function inventoryOf(checked: CheckedPackages | undefined): Inventory | undefined {
  if (checked === undefined) return undefined;
  const packages = readPackages(checked);
  let made: string | undefined;
  let digest: Buffer | undefined;
  const text = (): string => (made ??= JSON.stringify(packages));
  return {
    count: packages.length,
    packages,
    get digest() {
      return packages.length === 0 ? undefined : (digest ??= hash('sha1', text(), 'buffer'));
    },
    startHash: (certname, environment) =>
      startHash(certname, environment, packages.length === 0 ? undefined : inventoryText(packages, text())),
  };
}

interface KnownInventory {
  readonly sha256: Buffer;
  readonly environment: string | null;
  readonly limits: Limits;
  readonly count: number;
  readonly digest: Buffer;
  readonly start: Hash;
}

/** Each node takes about 1 kB of memory. */
const mostKnown = 8_000;
/**
 * Once `mostKnown` nodes are remembered, only one of every `newToReplacement` new nodes replaces the oldest node.
 * Otherwise, if more than `mostKnown` nodes submit in turn, each node would be forgotten before its next factset.
 */
const newToReplacement = 8;
let newNodes = 0;
/**
 * Maps a certname to the last inventory of the node. A factset with an equal inventory needs only the digest of the
 * packages and the state of the hash after the packages.
 */
const known = new Map<string, KnownInventory>();

export function rememberInventory(
  certname: string,
  environment: string | null,
  { sha256 }: DocumentPart,
  inventory: Inventory,
  limits: Limits,
): void {
  const { count, digest } = inventory;
  if (digest === undefined) return;
  const isFull = known.size >= mostKnown && !known.has(certname);
  if (isFull && ++newNodes % newToReplacement > 0) return;
  const start = inventory.startHash(certname, environment);
  known.delete(certname);
  known.set(certname, { sha256: Buffer.from(sha256), environment, limits, count, digest, start });
  if (!isFull) return;
  for (const oldest of known.keys()) return void known.delete(oldest);
}

/**
 * Returns the last inventory of the node if the section equals it, without reading the section. Returns undefined if
 * the digest of this inventory differs from `stored`, the digest of the inventory in the tables, because the projector
 * then needs the packages.
 */
export function recallInventory(
  certname: string,
  { sha256 }: DocumentPart,
  limits: Limits,
  stored: Buffer | undefined,
): (Inventory & { readonly environment: string | null }) | undefined {
  const found = known.get(certname);
  if (found === undefined || stored === undefined || found.limits !== limits) return undefined;
  if (!found.sha256.equals(sha256) || !found.digest.equals(stored)) return undefined;
  const { environment, count, digest, start } = found;
  return { environment, count, digest, packages: undefined, startHash: () => start.copy() };
}
