import type { WireReport } from '../documents';
import { readCommand } from '../read-command';
import good from './sample-report.json';

const { certname, catalog_uuid: uuid } = good;
const status = good.resources[0]!;
const event = status.events[0]!;

const readText = (text: string, version = 8): WireReport =>
  readCommand({ command: 'store report', version, certname }, Buffer.from(text)) as WireReport;

function without<T extends object, K extends keyof T>(object: T, ...keys: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

describe('older versions of store report', () => {
  const oldEvent = without(event, 'corrective_change');
  const oldStatus = without(status, 'corrective_change', 'events');
  const common = without(good, 'producer', 'noop_pending', 'corrective_change', 'job_id', 'type');
  const v7 = { ...common, resources: [{ ...oldStatus, events: [oldEvent] }] };
  const v6 = without(v7, 'catalog_uuid', 'code_id', 'cached_catalog_status');
  const place = without(oldStatus, 'skipped', 'timestamp');
  const v5 = { ...without(v6, 'resources'), resource_events: [{ ...oldEvent, ...place }] };
  const readOld = (document: object, version: number): WireReport => readText(JSON.stringify(document), version);

  it('are filled up with what they did not know', () => {
    expect(readOld(v7, 7)).toMatchObject({
      producer: null,
      noopPending: null,
      correctiveChange: null,
      jobId: null,
      type: 'agent',
      catalogUuid: uuid,
      codeId: 'c',
    });
    expect(readOld(v6, 6)).toMatchObject({
      producer: null,
      catalogUuid: uuid,
      codeId: null,
      cachedCatalogStatus: null,
    });
    expect(readOld(v5, 5)).toMatchObject({
      producer: null,
      catalogUuid: uuid,
      codeId: null,
      cachedCatalogStatus: null,
    });
  });

  it('have the same events and identity', () => {
    const events = readOld(v7, 7).events;
    expect(events).toEqual([{ ...readText(JSON.stringify(good)).events[0], correctiveChange: null }]);
    expect(readOld(v6, 6).events).toEqual(events);
    expect(readOld(v5, 5).events).toEqual(events);
    expect(
      new Set(
        [readOld(v7, 7), readOld(v6, 6), readOld(v5, 5), readText(JSON.stringify(good))].map((report) => report.hash),
      ).size,
    ).toBe(1);
  });

  it.each([5, 6, 7])('take what came later if version %d has it, but for corrective changes', (version) => {
    const other = '11111111-0b0a-4908-8706-050403020100';
    const later = {
      producer: 'p',
      noop_pending: true,
      job_id: 'j',
      type: 'plan',
      catalog_uuid: other,
      code_id: 'd',
      cached_catalog_status: 'odd',
    };
    const document =
      version === 5 ? { ...v5, resource_events: [{ ...event, ...place }] } : { ...v6, resources: [status] };
    const report = readOld({ ...document, ...later }, version);
    expect(report).toMatchObject({
      producer: 'p',
      noopPending: true,
      jobId: 'j',
      type: 'plan',
      catalogUuid: other,
      codeId: 'd',
      cachedCatalogStatus: 'odd',
    });
    expect(report.events[0]!.correctiveChange).toBeNull();
  });

  it.each([
    [7, 'catalog_uuid', v7],
    [7, 'code_id', v7],
    [7, 'cached_catalog_status', v7],
    [7, 'noop', v7],
    [6, 'transaction_uuid', v6],
    [6, 'metrics', v6],
    [5, 'status', v5],
  ])('version %d needs %s', (version, field, document) => {
    expect(() => readOld({ ...document, [field]: undefined }, version)).toThrow(
      `store report ${version} breaks its format: ${field}: expected a value, found nothing.`,
    );
  });

  it('refuse what no version knew', () => {
    for (const [version, document] of [
      [5, v5],
      [6, v6],
      [7, v7],
    ] as const) {
      expect(() => readOld({ ...document, colour: 1 }, version)).toThrow('colour: expected no field of this name');
    }
    expect(() => readOld({ ...v6, resource_events: [] }, 6)).toThrow('resource_events: expected no field of this name');
    expect(() => readOld({ ...v5, resource_events: [{ ...v5.resource_events[0], colour: 1 }] }, 5)).toThrow(
      'resource_events[0].colour',
    );
    expect(() => readOld({ ...v5, resource_events: [{ ...v5.resource_events[0], file: undefined }] }, 5)).toThrow(
      'resource_events[0].file',
    );
    expect(() => readOld({ ...v5, resource_events: {} }, 5)).toThrow(
      'resource_events: expected an array or null, found an object',
    );
  });

  it('version 5: groups events by resource, and skipped ones have no values', () => {
    const one = v5.resource_events[0]!;
    const report = readOld(
      {
        ...v5,
        resource_events: [
          one,
          { ...one, property: 'owner' },
          { ...one, resource_title: '/y' },
          { ...one, status: 'skipped' },
          one,
        ],
      },
      5,
    );
    expect(report.events.map((e) => [e.resourceTitle, e.status, e.property, e.newValue])).toEqual([
      ['/etc/ü', 'success', 'mode', '"0644"'],
      ['/etc/ü', 'success', 'owner', '"0644"'],
      ['/y', 'success', 'mode', '"0644"'],
      ['/etc/ü', 'skipped', null, 'null'],
    ]);
    expect(JSON.parse(report.resources)).toMatchObject([
      { resource_title: '/etc/ü' },
      { resource_title: '/y' },
      { skipped: true, events: [] },
    ]);
    expect(readOld({ ...v5, resource_events: null }, 5).events).toEqual([]);
  });
});
