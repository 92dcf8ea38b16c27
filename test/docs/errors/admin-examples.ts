import { readSettings } from '#config';
import { DeadLetterStore } from '#projections';
import { readWorkRequest } from '../../../apps/server/operation/work/work-kinds';
import { prepareWorkDirectory } from '../../../apps/server/operation/work/work-directory';
import { Works } from '../../../apps/server/operation/work/works';
import { MaintenanceRecords } from '../../../libs/admin/maintenance-records';
import { readExportRequest } from '../../../libs/archive/export/http/read-export-request';
import { migrated } from './empty-database';
import { type Example, refusal } from './example';
import { answered, ask } from './http-client';
import type { LittleService } from './little-service';

const path = '/pdb/admin/v1/cmd';
const letters = '/nodeledger/v1/dead-letters';
const clean = '{"command": "clean", "version": 1, "payload": []}';
const cleaning = { method: 'POST', body: clean };

/** Causes every fault of maintenance over HTTP that a test can cause. Leaves no dead letters. */
export async function adminExamples(service: LittleService): Promise<Example[]> {
  const { url, bench, completions } = service;
  const records = new MaintenanceRecords(bench.log, completions);
  return [
    await answered('admin.invalid', url, path, {
      method: 'POST',
      body: '{"command": "tidy", "version": 1, "payload": []}',
    }),
    await meanwhile(service, '{schema}.nodes', {
      first: () => ask(url, path, cleaning),
      second: () =>
        answered('admin.running', url, path, { ...cleaning, given: `POST ${path}, while another cleaning runs` }),
    }),
    await clockSkew(service),
    await refusal('admin.not-applied', 'A cleaning when the service is stopped', () =>
      records.apply([], 0, AbortSignal.abort()),
    ),
    await refusal('admin.rejected', 'A maintenance record that the projector does not know', () =>
      records.apply([{ certname: 'web1', command: 'polish node', version: 1, payload: '{"certname":"web1"}' }], 0),
    ),
    ...(await workExamples()),
    await refusal('archive.parameter', 'GET /pdb/admin/v1/archive?anonymization_profile=ful', () =>
      readExportRequest('/pdb/admin/v1/archive?anonymization_profile=ful'),
    ),
    await answered('admin.letters-request', url, letters, { parameters: { limt: '5' } }),
    await answered('admin.no-letter', url, `${letters}/0-999999`),
    await gone(service),
    await meanwhile(service, 'nodeledger.dead_letters', {
      first: () => ask(url, `${letters}/retry?all=true`, { method: 'POST' }),
      second: () =>
        answered('admin.retrying', url, `${letters}/retry`, {
          method: 'POST',
          parameters: { all: 'true' },
          given: `POST ${letters}/retry?all=true, while a retry runs`,
        }),
    }),
    await migrated(async (connectionString) => {
      const empty = await service.serve({ connectionString });
      try {
        return await answered('admin.no-generation', empty.url, path, cleaning);
      } finally {
        await empty.close();
      }
    }),
  ];
}

/** The answer to the second request while the first one waits for a table. */
async function meanwhile(
  service: LittleService,
  table: string,
  { first, second }: { first: () => Promise<unknown>; second: () => Promise<Example> },
): Promise<Example> {
  const { waiting, example } = await service.whileLocked(table, async (wait) => {
    const waiting = first();
    await wait(1);
    return { waiting, example: await second() };
  });
  await waiting;
  return example;
}

async function clockSkew(service: LittleService): Promise<Example> {
  service.clockAheadMs = 3_600_000;
  try {
    return await answered('admin.clock-skew', service.url, path, cleaning);
  } finally {
    service.clockAheadMs = 0;
  }
}

async function workExamples(): Promise<Example[]> {
  const work = '/nodeledger/v1/operation/work';
  const { settings, source } = readSettings([], {});
  const works = new Works({ settings, source, refusal: () => undefined });
  try {
    await works.start({ kind: 'verify' }, 'anonymous');
    return [
      await refusal('operation.work-request', `POST ${work} with {"kind": "drop"}`, () =>
        readWorkRequest('{"kind": "drop"}'),
      ),
      await refusal('operation.work-running', `POST ${work}, while other maintenance runs`, () =>
        works.start({ kind: 'rebuild' }, 'anonymous'),
      ),
      await refusal('operation.work-directory', `POST ${work} with {"kind": "backup"}`, () =>
        prepareWorkDirectory('/dev/null/backups'),
      ),
      await refusal('operation.no-work', `DELETE ${work}/1`, () => works.stop('1')),
    ];
  } finally {
    await works.close();
  }
}

/** A dead letter that is purged between two pieces of its payload. */
async function gone({ url, bench, completions }: LittleService): Promise<Example> {
  const position = await bench.submit('replace facts', 'web1', { payload: '{' });
  await completions.wait(position, 60_000);
  const name = `${position.partition}-${position.offset}`;
  const payload = await new DeadLetterStore(bench.db).payload(position);
  const { status, text } = await ask(url, `${letters}/${name}`, { method: 'DELETE' });
  if (status !== 200) throw new Error(text);
  return refusal('letters.gone', `GET ${letters}/0-7/payload, while somebody purges the letter`, async () => {
    for await (const piece of payload?.pieces ?? []) throw new Error(`${piece.length} bytes were read`);
  });
}
