import { createHash, hash, type Hash } from 'node:crypto';
import { factsetHashBefore, inventoryText } from '../identity/factset';
import { ownCopy } from '../own-copies';
import type { Package } from './packages';

/** What is remembered of the last inventory of a node, so that the same text need not be parsed again. */
export interface KnownInventory {
  readonly certname: string;
  readonly environment: string | null;
  /** SHA-256 of the inventory's text. */
  readonly sha256: string;
  /** Number of distinct packages. */
  readonly count: number;
  /** As WireFactset.packageDigest. */
  readonly digest: Buffer | undefined;
  /** The hash of a factset up to its values. */
  readonly before: Hash;
}

/** Longer names of nodes and environments together are rare, and many of them would fill the memory. */
const longestNames = 400;

/**
 * At most about 1.5 kB each. Each name has one slot, whose content the next name with the same slot replaces. So a fleet that is too
 * large for the slots still finds most of its nodes.
 */
const slots = new Array<KnownInventory | undefined>(16_384);

/** Returns what is remembered of the node's inventory if its text and environment are unchanged, otherwise undefined. */
export function knownInventory(
  certname: string,
  environment: string | null,
  sha256: string,
): KnownInventory | undefined {
  const known = slots[slotOf(certname)];
  return known?.sha256 === sha256 && known.certname === certname && known.environment === environment
    ? known
    : undefined;
}

/** The same of a valid factset's inventory. Asks for its packages where it is not known, and remembers it. */
export function learnInventory(
  certname: string,
  environment: string | null,
  sha256: string,
  readAll: () => readonly Package[],
): KnownInventory {
  const known = knownInventory(certname, environment, sha256);
  if (known !== undefined) return known;
  const packages = readAll();
  const text = JSON.stringify(packages);
  const count = packages.length;
  const learned: KnownInventory = {
    certname: ownCopy(certname),
    environment: environment === null ? null : ownCopy(environment),
    sha256,
    count,
    digest: count === 0 ? undefined : hash('sha1', text, 'buffer'),
    before: createHash('sha1').update(
      factsetHashBefore(certname, environment, count === 0 ? undefined : inventoryText(packages, text)),
    ),
  };
  if (certname.length + (environment?.length ?? 0) <= longestNames) slots[slotOf(certname)] = learned;
  return learned;
}

/** The same on every start: which names share a slot does not change the result, only how often it is computed. */
const slotOf = (certname: string): number => hash('sha1', certname, 'buffer').readUInt32BE(0) % slots.length;
