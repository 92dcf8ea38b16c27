/**
 * Kills the service with SIGKILL at random moments under load. No acknowledged command may be lost or applied twice.
 * Six rounds with the same data, 300 commands each. The test prints the seed of the moments; NODELEDGER_TEST_SEED sets
 * it.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, temporaryDataDir, type RunningService } from './service';
import { askQuery } from '../support/ask-query';

const rounds = 6;
const commandsPerRound = 300;
const nodes = Array.from({ length: 25 }, (_, index) => `node${index}.crash.test`);
const eventsPerReport = 3;

interface Sent {
  readonly certname: string;
  readonly kind: 'facts' | 'catalog' | 'report';
  /** Increases with every command of a node and kind. */
  readonly sequence: number;
  readonly uuid: string;
}

const timeOf = (sequence: number): string => new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString();

function payloadOf({ certname, kind, sequence, uuid }: Sent): [command: string, version: number, payload: object] {
  const producer_timestamp = timeOf(sequence);
  const common = { certname, environment: 'production', producer: 'puppet.crash.test', producer_timestamp };
  switch (kind) {
    case 'facts':
      return ['replace facts', 5, { ...common, values: { sequence, nested: { text: `run ${sequence}` } } }];
    case 'catalog': {
      const resource = (title: string): object => ({
        type: 'File',
        title,
        exported: false,
        file: '/site.pp',
        line: 1,
        tags: ['file'],
        parameters: { sequence },
      });
      return [
        'replace catalog',
        9,
        {
          ...common,
          version: String(sequence),
          transaction_uuid: uuid,
          catalog_uuid: uuid,
          code_id: null,
          job_id: null,
          resources: [resource('/a'), resource('/b')],
          edges: [
            { source: { type: 'File', title: '/a' }, target: { type: 'File', title: '/b' }, relationship: 'before' },
          ],
        },
      ];
    }
    case 'report': {
      const events = Array.from({ length: eventsPerReport }, (_, index) => ({
        status: 'success',
        timestamp: producer_timestamp,
        property: `property${index}`,
        name: null,
        new_value: 'new',
        old_value: 'old',
        message: 'changed',
        corrective_change: false,
      }));
      return [
        'store report',
        8,
        {
          ...common,
          puppet_version: '8.0.0',
          report_format: 12,
          configuration_version: String(sequence),
          start_time: producer_timestamp,
          end_time: producer_timestamp,
          transaction_uuid: uuid,
          catalog_uuid: uuid,
          code_id: null,
          job_id: null,
          cached_catalog_status: 'not_used',
          status: 'changed',
          noop: false,
          noop_pending: false,
          corrective_change: false,
          logs: [],
          metrics: [],
          resources: [
            {
              resource_type: 'File',
              resource_title: '/a',
              file: '/site.pp',
              line: 1,
              skipped: false,
              timestamp: producer_timestamp,
              containment_path: ['Stage[main]', 'Main', 'File[/a]'],
              corrective_change: false,
              events,
            },
          ],
        },
      ];
    }
  }
}

/** Returns true if the command was acknowledged. A killed service acknowledges nothing. */
async function submit(service: RunningService, sent: Sent): Promise<boolean> {
  const [command, version, payload] = payloadOf(sent);
  const query = new URLSearchParams({ command, version: String(version), certname: sent.certname });
  try {
    const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const body = (await answer.json()) as { uuid?: string };
    return answer.status === 200 && typeof body.uuid === 'string';
  } catch {
    return false;
  }
}

/** A small generator of repeatable numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

it('loses and doubles nothing that was acknowledged', async () => {
  const seed = Number(process.env['NODELEDGER_TEST_SEED'] ?? Date.now() % 1_000_000);
  console.info(`seed ${seed}`);
  const random = generator(seed);
  const dataDir = await temporaryDataDir();
  const acknowledged: Sent[] = [];
  let sequence = 0;
  let service = await startService({ dataDir });
  try {
    for (let round = 0; round < rounds; round++) {
      const load = Array.from({ length: commandsPerRound }, (_, index): Sent => ({
        certname: nodes[index % nodes.length] as string,
        kind: (['facts', 'catalog', 'report'] as const)[Math.floor(index / nodes.length) % 3] as Sent['kind'],
        sequence: ++sequence,
        uuid: randomUUID(),
      }));
      // The moment is counted in acknowledgements, so it is equally random on slow and fast machines.
      let untilKill = 1 + Math.floor(random() * (load.length - 1));
      let dying: Promise<void> | undefined;
      await Promise.all(
        Array.from({ length: 8 }, async (_, worker) => {
          for (let index = worker; index < load.length; index += 8) {
            if (!(await submit(service, load[index] as Sent))) continue;
            acknowledged.push(load[index] as Sent);
            if (--untilKill <= 0) dying ??= delay(random() * 20).then(() => service.kill());
          }
        }),
      );
      await dying;
      service = await startService({ dataDir });
    }
    expect(acknowledged.length).toBeGreaterThan(rounds);

    const newest = new Map<string, number>();
    for (const { certname, kind, sequence: at } of acknowledged) {
      const key = `${kind} ${certname}`;
      newest.set(key, Math.max(newest.get(key) ?? 0, at));
    }
    const reportsAcknowledged = acknowledged.filter(({ kind }) => kind === 'report');
    const caughtUp = async (): Promise<boolean> => {
      const stored = await askQuery<{ transaction_uuid: string }[]>(service, 'reports', [
        '~',
        'certname',
        'crash.test',
      ]);
      const known = new Set(stored.map((report) => report.transaction_uuid));
      return reportsAcknowledged.every(({ uuid }) => known.has(uuid));
    };
    const deadline = Date.now() + 30_000;
    while (!(await caughtUp()) && Date.now() < deadline) await delay(200);

    const reports = await askQuery<{ hash: string; transaction_uuid: string }[]>(service, 'reports', [
      '~',
      'certname',
      '.',
    ]);
    const uuids = reports.map((report) => report.transaction_uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(reportsAcknowledged.filter(({ uuid }) => !uuids.includes(uuid))).toEqual([]);

    const events = await askQuery<{ report: string; property: string }[]>(service, 'events', ['~', 'certname', '.']);
    const properties = new Map<string, string[]>(reports.map(({ hash }) => [hash, []]));
    for (const event of events) properties.get(event.report)?.push(event.property);
    for (const found of properties.values()) expect(found.sort()).toEqual(['property0', 'property1', 'property2']);

    // The last commands of a node may not be applied yet, so the test repeats the query.
    const lagging = async (): Promise<string[]> => {
      const facts = await askQuery<{ certname: string; value: number }[]>(service, 'facts', ['=', 'name', 'sequence']);
      const catalogs = await askQuery<{ certname: string; version: string }[]>(service, 'catalogs', [
        '~',
        'certname',
        '.',
      ]);
      const found = new Map<string, number>();
      for (const { certname, value } of facts) found.set(`facts ${certname}`, value);
      for (const { certname, version } of catalogs) found.set(`catalog ${certname}`, Number(version));
      return [...newest]
        .filter(([key, at]) => !key.startsWith('report') && (found.get(key) ?? 0) < at)
        .map(([key]) => key);
    };
    while ((await lagging()).length > 0 && Date.now() < deadline) await delay(200);
    expect(await lagging()).toEqual([]);

    for (const entity of ['facts', 'catalogs', 'factsets']) {
      const rows = await askQuery<{ certname: string; name?: string }[]>(service, entity, ['~', 'certname', '.']);
      const keys = rows.map((row) => `${row.certname} ${row.name ?? ''}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
    const resources = await askQuery<{ certname: string }[]>(service, 'resources', ['=', 'type', 'File']);
    const withCatalog = new Set(resources.map(({ certname }) => certname));
    expect(resources).toHaveLength(withCatalog.size * 2);
    console.info(`${acknowledged.length} of ${rounds * commandsPerRound} commands acknowledged over ${rounds} kills`);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);
