/**
 * Tests Debian's PuppetDB with the built service: `nodeledger migrate`, and archives in both directions. If the package
 * is missing, everything is skipped and the output says so; NODELEDGER_REQUIRE_PUPPETDB=1 makes that a failure.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellSkipped } from '../../support/tell-skipped';
import { temporaryDataDir } from '../../e2e/service';
import { EmptyServices } from './empty-services';
import { migrates } from './migrates';
import { movesArchives } from './moves-archives';
import type { Pair } from './pair';
import { missingPart, PuppetDbServer } from './puppetdb-server';

const missing = missingPart();
if (missing !== undefined) tellSkipped(missing, 'NODELEDGER_REQUIRE_PUPPETDB');

(missing === undefined ? describe : describe.skip)('a PuppetDB', () => {
  let pair: Pair;
  const undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const root = await mkdtemp(join(tmpdir(), 'nodeledger-puppetdb-'));
    undo.push(() => rm(root, { recursive: true, force: true }));
    const room = await temporaryDataDir();
    undo.push(() => rm(room, { recursive: true, force: true }));
    const puppetDb = await PuppetDbServer.start(root);
    undo.push(() => puppetDb.stop());
    const services = new EmptyServices();
    undo.push(() => services.stop());
    pair = { puppetDb, services, room };
  }, 480_000);
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  }, 60_000);

  describe('is copied by `nodeledger migrate`', () => migrates(() => pair));
  describe('exchanges archives with the service', () => movesArchives(() => pair));
});
