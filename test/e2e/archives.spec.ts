/**
 * Tests that an archive depends only on the position in the log. Whole services export the same position before and
 * after every kind of maintenance, from both logs, and after an import into an empty service.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fleet } from '#fleet';
import { readArchive } from '../support/read-archive';
import { catalog, edge, event, factset, report, resource } from '../support/documents';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { ArchivesPlace } from './archives-place';
import { temporaryDataDir } from './service';

jest.setTimeout(240_000);

type Settings = Readonly<Record<string, string>>;
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

let room: string;
const undo: (() => Promise<unknown>)[] = [];

async function place(settings: Settings = {}): Promise<ArchivesPlace> {
  const made = await ArchivesPlace.make(room, settings);
  undo.push(() => made.close());
  return made;
}

/** Documents of every kind, and nodes in every state. */
async function feed(on: ArchivesPlace): Promise<void> {
  const fleet = new Fleet('archives', 'compact');
  for (let n = 0; n < 2; n++) {
    const { facts, catalog: resources, report: told } = fleet.run(n, 0, { startTime: new Date(ago(1)) });
    for (const { command, version, certname, text } of [facts, resources, told])
      await on.submit(command, version, certname, JSON.parse(text) as object);
  }
  for (const certname of ['active', 'away', 'silent', 'deleted', 'purged']) {
    const old = certname === 'silent';
    const at = { producer_timestamp: ago(old ? 40 : 2) };
    await on.submit('replace facts', 5, certname, factset(certname, { big: 1e21, list: [1, { a: null }] }, at));
    const files = [resource('/b'), resource('/a')];
    await on.submit('replace catalog', 9, certname, { ...catalog(certname, files, [edge('/a', '/b')]), ...at });
    await on.submit('replace catalog inputs', 1, certname, {
      ...{ certname, catalog_uuid: '00000000-0000-4000-8000-000000000002', inputs: [['hiera', 'x']], ...at },
    });
    for (const days of [4, 3]) {
      const over = { producer_timestamp: ago(old ? 40 + days : days), configuration_version: `v${days}` };
      await on.submit('store report', 8, certname, report(certname, [event('mode')], over));
    }
  }
  const expire = { facts: false };
  await on.submit('configure expiration', 1, 'kept', { certname: 'kept', producer_timestamp: ago(3), expire });
  for (const certname of ['away', 'never-seen'])
    await on.submit('deactivate node', 3, certname, { certname, producer_timestamp: ago(1) });
  // A cleaning finds only what the tables have.
  await on.position();
  await on.post('/pdb/admin/v1/cmd', { command: 'clean', version: 1, payload: ['expire_nodes'] });
  await on.post('/pdb/admin/v1/cmd', { command: 'delete', version: 1, payload: { certname: 'deleted' } });
}

async function change(on: ArchivesPlace): Promise<void> {
  await on.submit('replace facts', 5, 'active', factset('active', { later: true }, { producer_timestamp: ago(0) }));
  await on.submit('replace facts', 5, 'away', factset('away', { back: true }, { producer_timestamp: ago(0) }));
  await on.submit('store report', 8, 'new', report('new', [], { producer_timestamp: ago(0) }));
}

let source: ArchivesPlace;
let positions: [first: string, second: string];
let first: Buffer;
let second: Buffer;
const backup = (): string => join(room, 'backup');

beforeAll(async () => {
  room = await temporaryDataDir();
  undo.push(() => rm(room, { recursive: true, force: true }));
  source = await place({ NODELEDGER_LOG_PARTITIONS: '3' });
  await source.start();
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test('on the embedded log one position gives the same bytes, whatever maintenance has done', async () => {
  await feed(source);
  const before = await source.position();
  first = await source.archive();
  await change(source);
  positions = [before, await source.position()];
  second = await source.archive();
  expect(second).not.toEqual(first);
  const names = (await readArchive(second)).map(({ header }) => header.name);
  for (const part of ['facts/active', 'inactive/facts/silent', 'node_states/never-seen', 'configure_expiration/kept'])
    expect(names).toContainEqual(expect.stringContaining(part));
  expect(names.filter((name) => name.includes('deleted'))).toEqual([]);

  expect(await source.archiveOfVerb()).toEqual(second);
  expect(await source.archiveOfVerb('--at', positions[0])).toEqual(first);
  await source.verb('backup', backup());
  expect(JSON.parse(await source.verb('snapshot', '--history', '0', '--yes'))).toMatchObject({ nothingToDo: false });
  expect(await source.archive()).toEqual(second);
  expect(JSON.parse(await source.verb('rebuild'))).toMatchObject({ switched: true });
  expect(await source.archive()).toEqual(second);
  await source.stop();
  await source.start();
  expect(await source.archive()).toEqual(second);
  await change(source);
  await source.position();
  expect(await source.archiveOfVerb('--at', positions[1])).toEqual(second);
});

async function imported(settings: Settings): Promise<void> {
  const other = await place(settings);
  await other.start();
  const file = join(room, 'second.tgz');
  await rm(file, { force: true });
  await source.verb('export', file, '--at', positions[1]);
  const documents = (await readArchive(second)).length - 1;
  expect(JSON.parse(await other.import(file))).toEqual({ documents, known: 0, passed_over: 0 });
  await other.position();
  expect(await other.archive()).toEqual(second);
  await other.stop();
}

test('imported into an empty service and exported again, an archive has the same bytes', () =>
  imported({ NODELEDGER_LOG_PARTITIONS: '2' }));

describeWithKafka('with the log on Kafka', () => {
  let settings: Settings;
  beforeAll(async () => {
    settings = { KAFKA_BROKERS: ((await kafkaBrokers()) as string[]).join() };
  });

  /** A restored log has its records at their original offsets. */
  test('one position gives the same bytes as on the embedded log, whatever maintenance has done', async () => {
    const restored = await place({ ...settings, NODELEDGER_LOG_TOPIC: freshTopic() });
    await restored.verb('restore', backup());
    await restored.start();
    expect(await restored.position()).toBe(positions[1]);
    expect(await restored.archive()).toEqual(second);
    expect(await restored.archiveOfVerb('--at', positions[0])).toEqual(first);
    expect(JSON.parse(await restored.verb('snapshot', '--history', '0', '--yes'))).toMatchObject({
      nothingToDo: false,
    });
    expect(await restored.archive()).toEqual(second);
    expect(JSON.parse(await restored.verb('rebuild'))).toMatchObject({ switched: true });
    expect(await restored.archive()).toEqual(second);
    await restored.stop();
    await restored.start();
    expect(await restored.archive()).toEqual(second);
    await change(restored);
    await restored.position();
    expect(await restored.archiveOfVerb('--at', positions[1])).toEqual(second);
    await restored.stop();
  });

  test('imported into an empty service and exported again, an archive has the same bytes', () =>
    imported({ ...settings, NODELEDGER_LOG_TOPIC: freshTopic() }));
});
