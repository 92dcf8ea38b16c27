import { defaultLimits as limits } from '#limits';
import type { DocumentPart } from '../documents';
import { type Inventory, recallInventory, rememberInventory, startHash } from './inventory';

const section: DocumentPart = { sha256: Buffer.alloc(32, 1), length: 1, at: 0, weight: 1 };
const digest = Buffer.alloc(20, 2);
const inventory: Inventory = {
  count: 1,
  digest,
  packages: [],
  startHash: (certname, environment) => startHash(certname, environment),
};
/** Submits a factset of each node, as the decoder does. Returns the number of inventories that were known. */
function submitAll(nodes: number): number {
  let found = 0;
  for (let node = 0; node < nodes; node++) {
    const certname = `node${node}.test`;
    if (recallInventory(certname, section, limits, digest) !== undefined) found++;
    else rememberInventory(certname, null, section, inventory, limits);
  }
  return found;
}

test('of more nodes than the memory has room for, most inventories are known', () => {
  for (let round = 0; round < 3; round++) submitAll(10_000);
  const found = submitAll(10_000);
  expect(found).toBeGreaterThan(6_000);
  expect(found).toBeLessThanOrEqual(8_000);
});
