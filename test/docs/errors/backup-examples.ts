import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, checkedBackup, readManifest, restore } from '#backup';
import { Database, migrateControlTables, refuseUnfinishedRestore } from '#database';
import { defaultLimits } from '#limits';
import { EmbeddedCommandLog } from '#log';
import { Peer } from '#migrate';
import type { ReplayContext } from '#projections';
import { convertConfiguration } from '../../../apps/cli/migrate/convert-configuration';
import { migrateCommand } from '../../../apps/cli/migrate';
import { migrated } from './empty-database';
import { type Example, refusal } from './example';
import type { LittleService } from './little-service';

/** Causes the refusals of backup, restore and migrate. */
export async function backupExamples({ bench }: LittleService): Promise<Example[]> {
  const room = await mkdtemp(join(tmpdir(), 'nodeledger-page-'));
  const dir = join(room, 'backup');
  const replay = { maxCommandBytes: 20_000_000, limits: defaultLimits, signal: new AbortController().signal };
  const context: ReplayContext = { ...replay, db: bench.db, log: bench.log, logId: bench.logId };
  const options = { dir, release: '0.1.0', kept: 'embedded', settings: {} };
  try {
    const { manifest } = await backUp(context, options);
    const path = join(dir, 'manifest.json');
    const text = await readFile(path, 'utf8');
    const [segment] = manifest.log.tail.map(({ file }) => join(dir, file)) as [string];
    const fromHere = (db: Database, connectionString: string): Promise<unknown> => {
      const log = new EmbeddedCommandLog(db, { partitions: 1 });
      return restore(dir, manifest, { db, connectionString, log, replay });
    };
    const examples = [
      await refusal('restore.not-empty', 'nodeledger restore /srv/backup, with the database of a service', () =>
        fromHere(bench.db, bench.connectionString),
      ),
      await refusal('backup.other-log', 'nodeledger backup /srv/backup, of another service', () =>
        backUp({ ...context, logId: '00000000-0000-4000-8000-000000000000' }, options),
      ),
      await migrated(async (connectionString) => {
        const db = new Database({ connectionString, max: 4 });
        const stopping = AbortSignal.abort();
        const log = new EmbeddedCommandLog(db, { partitions: 1 });
        const target = { db, connectionString, log, replay: { ...replay, signal: stopping } };
        await restore(dir, manifest, target).catch(() => undefined);
        const example = refusal('server.restore-unfinished', 'npm start, after a restore that was interrupted', () =>
          refuseUnfinishedRestore(db),
        );
        return example.finally(() => db.close());
      }),
      await migrated(async (connectionString) => {
        await migrateControlTables(connectionString);
        const db = new Database({ connectionString, max: 4 });
        const log = new EmbeddedCommandLog(db, { partitions: 1 });
        await log.open();
        const content = { identity: { logId: bench.logId, partitions: 1 }, tails: new Map(), ends: new Map() };
        const none = async function* (): AsyncGenerator<never> {
          yield* [];
        };
        const example = refusal('log.not-empty', 'nodeledger restore /srv/backup, with the topic of a service', () =>
          log.restore({ ...content, base: none, tail: none }),
        );
        return example.finally(async () => {
          await log.close();
          await db.close();
        });
      }),
    ];
    await truncate(segment, 7);
    examples.push(
      await refusal('backup.damaged', 'nodeledger backup --check /srv/backup', () => checkedBackup(dir, replay)),
    );
    await writeFile(path, text.replace('"format": 3', '"format": 1'));
    examples.push(await refusal('backup.unreleased', 'nodeledger restore /srv/backup', () => readManifest(dir)));
    await writeFile(path, text.replace('"format": 3', '"format": 4'));
    examples.push(
      await refusal('backup.newer', 'nodeledger restore /srv/backup, with an older release', () => readManifest(dir)),
    );
    await rm(path);
    examples.push(
      await refusal('backup.no-backup', 'nodeledger restore /srv/backup, which was never completed', () =>
        readManifest(dir),
      ),
      await refusal('backup.directory', 'nodeledger backup /srv', () => backUp(context, { ...options, dir: room })),
      ...(await ofMigrate(room)),
    );
    return examples;
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function ofMigrate(room: string): Promise<Example[]> {
  const signal = new AbortController().signal;
  const peer = new Peer({ url: 'http://127.0.0.1:1', name: 'the source', connections: 1, signal });
  return [
    await refusal('migrate.address', 'nodeledger migrate', () => migrateCommand().parseAsync([], { from: 'user' })),
    await refusal('migrate.config', 'nodeledger migrate --config /etc', () => convertConfiguration({ config: room })),
    await refusal('migrate.unreachable', 'nodeledger migrate --from http://127.0.0.1:1', () =>
      peer.ask({ method: 'GET', path: '/pdb/meta/v1/version' }),
    ),
  ];
}
