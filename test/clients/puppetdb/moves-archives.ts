import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { AnonymizationProfile } from '../../../libs/archive/anonymize/profiles';
import { readArchive } from '../../support/read-archive';
import type { RunningService } from '../../e2e/service';
import { askQuery } from '../../support/ask-query';
import { plantedIn } from '../../support/planted';
import { until } from '../../support/until';
import { submitAll } from '../dashboards/submit';
import { exportArchive, importArchive, removeInactive, type Server, storedCounts } from './archive-transfer';
import { compareAnswers, type Comparison } from './compare-answers';
import { conformanceFolder } from './conformance-folder';
import { extent } from './extent';
import { figures } from './figures';
import { fleetCommands } from './fleet-commands';
import { mayDiffer, speaksOfWhatIsLeftOut, withoutPackages } from './may-differ';
import type { Pair } from './pair';
import { plantedNode } from './planted-node';
import { corpusQuestions, ownQuestions, type Question } from './questions';

/** Sample documents, if a folder with them exists: NODELEDGER_SAMPLES, or ../shared/samples beside the repository. */
function samples(): string | undefined {
  if (!extent.hasSamples) return undefined;
  const folder = process.env['NODELEDGER_SAMPLES'] ?? join(__dirname, '../../../../shared/samples');
  if (existsSync(join(folder, 'facts'))) return folder;
  console.info(`skipped: sample documents are not found at ${folder}`);
  return undefined;
}

/** Tests archives: PuppetDB and a service get the same commands, and each imports the archive of the other. */
export function movesArchives(pair: () => Pair): void {
  let puppetDb: Pair['puppetDb'];
  let service: RunningService;
  let room: string;
  let certnames: string[];
  /** Documents of the fleet and the planted node. */
  let fleetArchive: Buffer;
  /** The same, by profile. */
  const archives = { puppetDb: new Map<string, Buffer>(), service: new Map<string, Buffer>() };
  let fleetFigures: Awaited<ReturnType<typeof figures>>;

  beforeAll(async () => {
    ({ puppetDb, room } = pair());
    service = await pair().services.start();
    const commands = [...fleetCommands(extent.machines, extent.runs), ...plantedNode];
    await Promise.all([puppetDb, service].map(({ url }) => submitAll(url, commands)));
    await puppetDb.settled();
    await until(async () => isDeepStrictEqual(await storedCounts(service), await storedCounts(puppetDb)));
    fleetFigures = await figures(puppetDb);
    certnames = (await askQuery<{ certname: string }[]>(puppetDb, 'nodes')).map(({ certname }) => certname);
    fleetArchive = await exportArchive(puppetDb);
    for (const profile of new Set<AnonymizationProfile>(['none', ...extent.profiles])) {
      archives.puppetDb.set(profile, await exportArchive(puppetDb, profile));
      archives.service.set(profile, await exportArchive(service, profile));
    }
  }, extent.setupMs);

  const differences = async (
    reference: Server,
    candidate: Server,
    questions: readonly Question[],
  ): Promise<Comparison['differences']> => {
    const { total, differences: found } = await compareAnswers(reference, candidate, questions, room);
    expect(total).toBe(questions.length);
    return found;
  };

  const expectSameAnswers = async (candidate: Server, part: number): Promise<void> => {
    const questions = extent.some([...corpusQuestions(), ...ownQuestions(certnames)], part);
    const found = await differences(puppetDb, candidate, questions);
    const differing = Object.keys(found).length;
    console.info(`${questions.length - differing} of ${questions.length} answers are the same`);
    const explained = new Set(questions.filter(mayDiffer).map(({ id }) => id));
    const unexplained = Object.entries(found).filter(([id]) => !explained.has(id));
    expect(Object.fromEntries(unexplained)).toEqual({});
  };

  test('a fleet from PuppetDB: the answers are as before, but for what its archive leaves out', async () => {
    const target = await pair().services.start();
    await importArchive(target, fleetArchive);
    const found = await differences(puppetDb, target, extent.some(ownQuestions(certnames), 2));
    expect(Object.keys(found).filter((question) => !speaksOfWhatIsLeftOut(question))).toEqual([]);
    expect(await figures(target)).toEqual({ ...fleetFigures, ...withoutPackages });
    await target.stop();
  });

  describe('from PuppetDB', () => {
    let archive: Buffer;

    beforeAll(async () => {
      const folder = samples();
      const loadAll = async ({ url }: Server): Promise<void> => {
        await load(url, join(conformanceFolder, 'datasets/public.jsonl'));
        if (folder !== undefined) await load(url, '', '--samples', folder);
      };
      await Promise.all([puppetDb, service].map(loadAll));
    }, extent.setupMs);

    test('which exports nothing while a node is deactivated', async () => {
      expect(await readArchive(await exportArchive(puppetDb))).toHaveLength(1);
      expect(await removeInactive(puppetDb)).toContain('retired01.alder.test');
      archive = await exportArchive(puppetDb);
      expect((await readArchive(archive)).length).toBeGreaterThan(100);
    });

    test(
      'all answers are those of PuppetDB after it has imported the archive itself',
      async () => {
        const target = await pair().services.start();
        await importArchive(target, archive);
        await puppetDb.empty();
        await importArchive(puppetDb, archive);
        await puppetDb.settled();
        await removeInactive(puppetDb);
        await expectSameAnswers(target, 0);
        await target.stop();
      },
      extent.comparisonMs + extent.setupMs,
    );
  });

  test(
    'to PuppetDB: all answers are those of the service',
    async () => {
      const archive = await exportArchive(service);
      await puppetDb.empty();
      await importArchive(puppetDb, archive);
      await puppetDb.settled();
      // PuppetDB skips the documents of inactive nodes that the archive contains.
      expect(await askQuery(puppetDb, 'nodes', ['=', 'node_state', 'inactive'])).toEqual([]);
      await removeInactive(puppetDb);
      expect(await removeInactive(service)).toContain('retired01.alder.test');
      await expectSameAnswers(service, 1);
    },
    extent.comparisonMs + extent.setupMs,
  );

  describe.each(extent.profiles)('profile %s', (profile) => {
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

  test('the profile full has nothing of what was planted, also in names of files; none has all of it', () => {
    const found = (profile: string): string[] =>
      plantedIn(gunzipSync(archives.service.get(profile)!).toString('latin1').toLowerCase()).sort();
    expect(found('full')).toEqual([]);
    expect(found('none')).toEqual(plantedIn(JSON.stringify(plantedNode).toLowerCase()).sort());
    expect(found('none').length).toBeGreaterThan(25);
  });
}

/** Submits commands from a file or a folder with load.mjs of test/conformance. */
async function load(url: string, ...from: readonly string[]): Promise<void> {
  const script = [join(conformanceFolder, 'load.mjs'), url, ...from, '--dialect', 'puppetdb', '--wait', '60'];
  await promisify(execFile)(process.execPath, script);
}
