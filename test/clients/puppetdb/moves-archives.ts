import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { anonymizationProfiles } from '../../../libs/archive/anonymize/profiles';
import { readArchive } from '../../../libs/archive/testing/read-archive';
import type { RunningService } from '../../e2e/service';
import { Fleet } from '../../../libs/fleet';
import { askQuery } from '../../support/ask-query';
import { plantedIn } from '../../support/planted';
import { until } from '../../support/until';
import type { SiteCommand } from '../dashboards/site-commands';
import { submitAll } from '../dashboards/submit';
import { exportArchive, importArchive, removeInactive, type Server, storedCounts } from './archive-transfer';
import { compareAnswers, type Comparison } from './compare-answers';
import { conformanceFolder } from './conformance-folder';
import { figures } from './figures';
import { knownDifferences, speaksOfWhatIsLeftOut, withoutPackages } from './may-differ';
import type { Pair } from './pair';
import { plantedNode } from './planted-node';
import { corpusQuestions, ownQuestions, type Question } from './questions';

const samples = process.env['NODELEDGER_SAMPLES'] ?? join(__dirname, '../../../../shared/samples');
const hasSamples = existsSync(join(samples, 'facts'));
/** Each direction asks half of the corpus: every second question. With this set, both ask all. */
const asksAll = process.env['NODELEDGER_ALL_QUESTIONS'] === '1';
const anonymized = anonymizationProfiles.filter((profile) => profile !== 'none');

/** Two runs of three machines. One command at a time: PuppetDB 7 retries one whose successor is in its queue, minutes later. */
function fleet(): SiteCommand[] {
  const simulated = new Fleet('archives');
  const startTime = new Date('2025-03-01T00:00:00Z');
  const runs = [0, 1].flatMap((run) => [0, 1, 2].map((node) => simulated.run(node, run, { startTime })));
  return runs
    .flatMap(({ facts, catalog, report }) => [facts, catalog, report])
    .map(({ command, version, certname, text: body }) => ({ command, version, certname, body }));
}

const ofCorpus = (half: 0 | 1): Question[] => corpusQuestions().filter((_, place) => asksAll || place % 2 === half);

const without = (found: Comparison['differences'], known: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(found).filter(([id]) => known[id] === undefined));

/** The tests of archives. PuppetDB and a service get the same commands; then each reads what the other has written. */
export function movesArchives(pair: () => Pair): void {
  let puppetDb: Pair['puppetDb'];
  let service: RunningService;
  let room: string;
  let certnames: string[];
  /** Of a fleet without oddities, by server and profile. */
  const archives = { puppetDb: new Map<string, Buffer>(), service: new Map<string, Buffer>() };
  let fleetFigures: Awaited<ReturnType<typeof figures>>;

  const load = async (file: readonly string[]): Promise<void> => {
    for (const { url } of [puppetDb, service]) {
      const script = [join(conformanceFolder, 'load.mjs'), url, ...file, '--dialect', 'puppetdb', '--wait', '60'];
      await promisify(execFile)(process.execPath, script);
    }
  };

  beforeAll(async () => {
    ({ puppetDb, room } = pair());
    service = await pair().services.start();
    for (const { url } of [puppetDb, service]) {
      await submitAll(url, [...fleet(), ...plantedNode]);
    }
    await puppetDb.settled();
    await until(async () => isDeepStrictEqual(await storedCounts(service), await storedCounts(puppetDb)));
    fleetFigures = await figures(puppetDb);
    certnames = (await askQuery<{ certname: string }[]>(puppetDb, 'nodes')).map(({ certname }) => certname);
    for (const profile of anonymizationProfiles) {
      archives.puppetDb.set(profile, await exportArchive(puppetDb, profile));
      archives.service.set(profile, await exportArchive(service, profile));
    }
  }, 300_000);

  test('a fleet from PuppetDB: all answers are as before, but for what its archive leaves out', async () => {
    const target = await pair().services.start();
    await importArchive(target, archives.puppetDb.get('none')!);
    const found = Object.keys(await differences(puppetDb, target, ownQuestions(certnames)));
    expect(found.filter((question) => !speaksOfWhatIsLeftOut(question))).toEqual([]);
    expect(await figures(target)).toEqual({ ...fleetFigures, ...withoutPackages });
  });

  const differences = async (
    reference: Server,
    candidate: Server,
    questions: Question[],
  ): Promise<Comparison['differences']> => {
    const { total, differences: found } = await compareAnswers(reference, candidate, questions, room);
    expect(total).toBe(questions.length);
    return found;
  };

  describe('from PuppetDB', () => {
    let archive: Buffer;

    beforeAll(async () => {
      await load([join(conformanceFolder, 'datasets/public.jsonl')]);
      if (hasSamples) await load(['', '--samples', samples]);
      else console.info(`skipped: sample documents are not found at ${samples}`);
    }, 300_000);

    test('which exports nothing while a node is deactivated', async () => {
      expect(await readArchive(await exportArchive(puppetDb))).toHaveLength(1);
      expect(await removeInactive(puppetDb)).toContain('retired01.alder.test');
      archive = await exportArchive(puppetDb);
      expect((await readArchive(archive)).length).toBeGreaterThan(100);
    });

    test('all answers are those of PuppetDB after it has imported the archive itself', async () => {
      const target = await pair().services.start();
      await importArchive(target, archive);
      await puppetDb.empty();
      await importArchive(puppetDb, archive);
      await puppetDb.settled();
      await removeInactive(puppetDb);
      const found = await differences(puppetDb, target, [...ofCorpus(0), ...ownQuestions(certnames)]);
      expect(without(found, knownDifferences)).toEqual({});
    });
  });

  test('to PuppetDB: all answers are those of the service', async () => {
    const archive = await exportArchive(service);
    await puppetDb.empty();
    await importArchive(puppetDb, archive);
    await puppetDb.settled();
    // Their documents are in the archive for the service, and PuppetDB passes over them.
    expect(await askQuery(puppetDb, 'nodes', ['=', 'node_state', 'inactive'])).toEqual([]);
    await removeInactive(puppetDb);
    expect(await removeInactive(service)).toContain('retired01.alder.test');
    const found = await differences(puppetDb, service, [...ofCorpus(1), ...ownQuestions(certnames)]);
    expect(without(found, knownDifferences)).toEqual({});
  });

  describe.each(anonymizationProfiles)('profile %s', (profile) => {
    test('from PuppetDB: as many of everything, and joins find as much', async () => {
      const target = await pair().services.start();
      await importArchive(target, archives.puppetDb.get(profile)!);
      expect(await figures(target)).toEqual({ ...fleetFigures, ...withoutPackages });
      await target.stop();
    });

    test('to PuppetDB: as many of everything, and joins find as much', async () => {
      await puppetDb.empty();
      await importArchive(puppetDb, archives.service.get(profile)!);
      expect(await figures(puppetDb)).toEqual(fleetFigures);
    });
  });

  test('full: nothing that was planted is in the archive; none: all of it is', () => {
    const found = (profile: string): string[] =>
      plantedIn(gunzipSync(archives.service.get(profile)!).toString('latin1').toLowerCase());
    expect(found('full')).toEqual([]);
    const all = JSON.stringify(plantedNode).toLowerCase();
    expect(found('none').sort()).toEqual(plantedIn(all).sort());
    expect(found('none').length).toBeGreaterThan(25);
    expect(anonymized).toHaveLength(3);
  });
}
