import { createHash } from 'node:crypto';
import { Fleet } from './fleet';

const start = { startTime: new Date('2024-05-01T00:00:00Z') };

interface CatalogDocument {
  readonly certname: string;
  readonly resources: readonly {
    type: string;
    title: string;
    tags: string[];
    parameters: Record<string, unknown>;
    file: string;
    line: number;
  }[];
  readonly edges: readonly { source: Named; target: Named; relationship: string }[];
}
interface Named {
  readonly type: string;
  readonly title: string;
}
interface ReportDocument {
  readonly status: string;
  readonly noop: boolean;
  readonly noop_pending: boolean;
  readonly transaction_uuid: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly resources: readonly {
    resource_type: string;
    resource_title: string;
    skipped: boolean;
    timestamp: string;
    containment_path: string[];
    events: { status: string; timestamp: string }[];
  }[];
  readonly logs: readonly { level: string; time: string }[];
  readonly metrics: readonly { category: string; name: string; value: number }[];
}

const reference = (one: Named): string => `${one.type}[${one.title}]`;
const catalogOf = (text: string): CatalogDocument => JSON.parse(text) as CatalogDocument;
const reportOf = (text: string): ReportDocument => JSON.parse(text) as ReportDocument;

describe('a simulated fleet', () => {
  const fleet = new Fleet('spec');

  it('gives equal bytes, whatever was asked before', () => {
    const late = new Fleet('spec');
    for (const [index, run] of [
      [5, 2],
      [1, 0],
      [3, 9],
    ] as const)
      late.run(index, run, start);
    for (const [index, run] of [
      [3, 9],
      [0, 0],
      [5, 2],
    ] as const) {
      const [one, other] = [fleet.run(index, run, start), late.run(index, run, start)];
      expect(one.facts.text).toBe(other.facts.text);
      expect(one.catalog.text).toBe(other.catalog.text);
      expect(one.report.text).toBe(other.report.text);
    }
  });

  it('gives the bytes that it gave on every other machine', () => {
    const { facts, catalog, report } = new Fleet('fixed').run(11, 4, start);
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect([facts, catalog, report].map((one) => digest(one.text))).toMatchInlineSnapshot(`
     [
       "1ca15a4dad67673f",
       "7d3696667b0ce1d9",
       "adc2c10a3c6e4f7e",
     ]
    `);
  });

  it('says the same in both layouts', () => {
    const pretty = fleet.run(2, 3, start);
    const compact = new Fleet('spec', 'compact').run(2, 3, start);
    for (const kind of ['facts', 'catalog', 'report'] as const) {
      expect(JSON.parse(compact[kind].text)).toEqual(JSON.parse(pretty[kind].text));
      expect(compact[kind].text.length).toBeLessThan(pretty[kind].text.length);
    }
  });

  it('keeps the machines of two seeds apart', () => {
    const other = new Fleet('another');
    const names = [0, 1, 2].flatMap((index) => [fleet.node(index).certname, other.node(index).certname]);
    expect(new Set(names).size).toBe(6);
  });

  it.each([0, 1, 7, 30])('makes catalogs whose parts fit together (run %i)', (run) => {
    for (let index = 0; index < 12; index++) {
      const { catalog, node } = fleet.run(index, run, start);
      const { certname, resources, edges } = catalogOf(catalog.text);
      expect(certname).toBe(node.certname);
      const known = new Set(resources.map(reference));
      expect(known.size).toBe(resources.length);
      expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(edges.length);
      expect(edges.filter((edge) => !known.has(reference(edge.source)) || !known.has(reference(edge.target)))).toEqual(
        [],
      );
      const contained = edges.filter((edge) => edge.relationship === 'contains').map((edge) => reference(edge.target));
      expect(contained).toHaveLength(resources.length - 1);
      expect(new Set(contained).size).toBe(contained.length);
      expect(
        resources.flatMap((one) => one.tags).filter((tag) => !/^[\p{Ll}\p{N}_][\p{Ll}\p{N}_:.-]*$/u.test(tag)),
      ).toEqual([]);
    }
  });

  it('shares most resources among the machines of a role and keeps some to one machine', () => {
    const catalogs = Array.from({ length: 60 }, (_, index) => fleet.run(index, 0, start)).filter(
      ({ node }) => node.role.name === 'web' && node.system.name === 'Debian',
    );
    expect(catalogs.length).toBeGreaterThan(2);
    const [first, second] = catalogs.map(
      ({ catalog }) => new Set(catalogOf(catalog.text).resources.map((one) => JSON.stringify(one))),
    );
    const shared = [...(first ?? [])].filter((one) => second?.has(one)).length;
    expect(shared / (first?.size ?? 1)).toBeGreaterThan(0.8);
    expect(shared).toBeLessThan((first?.size ?? 0) - 50);
  });

  it('changes a tenth of the catalogs from run to run and leaves the others as they were, to the byte', () => {
    const content = (index: number, run: number): string => {
      const { text } = fleet.run(index, run, start).catalog;
      return text.slice(text.indexOf('"resources"'));
    };
    let changed = 0;
    for (let index = 0; index < 60; index++) {
      const contents = [0, 1, 2, 3, 4, 5].map((run) => content(index, run));
      changed += contents.slice(1).filter((one, before) => one !== contents[before]).length;
    }
    expect(changed / 300).toBeGreaterThan(0.06);
    expect(changed / 300).toBeLessThan(0.14);
  });

  it('keeps the size of a catalog through many changes', () => {
    const [early, late] = [0, 400].map((run) => catalogOf(fleet.run(4, run, start).catalog.text).resources.length) as [
      number,
      number,
    ];
    expect(Math.abs(late - early)).toBeLessThan(20);
  });

  it('moves some facts in every run and leaves most alone', () => {
    const values = (run: number): Record<string, unknown> =>
      (JSON.parse(fleet.run(6, run, start).facts.text) as { values: Record<string, unknown> }).values;
    const [before, after] = [values(3), values(4)] as [Record<string, unknown>, Record<string, unknown>];
    const moved = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    expect(moved).toEqual(
      expect.arrayContaining(['system_uptime', 'memory', 'load_averages', 'mountpoints', 'uptime_seconds']),
    );
    expect(moved.length).toBeLessThan(20);
  });

  it('gives every run identifiers and times of its own, later than those before', () => {
    const runs = [0, 1, 2].map((run) => fleet.run(8, run, start));
    const reports = runs.map(({ report }) => reportOf(report.text));
    expect(new Set(reports.map((one) => one.transaction_uuid)).size).toBe(3);
    const times = runs.flatMap(({ facts, catalog, report }) =>
      [facts, catalog, report].map((one) => one.producerTimestamp),
    );
    expect(times).toEqual([...new Set(times)].sort());
    for (const { catalog, report } of runs) {
      const { transaction_uuid } = JSON.parse(catalog.text) as { transaction_uuid: string };
      expect(reportOf(report.text).transaction_uuid).toBe(transaction_uuid);
    }
  });

  it('reports what happened: changes, failures with skipped followers, noop runs', () => {
    const seen = new Map<string, ReportDocument>();
    for (let index = 0; index < 200 && seen.size < 9; index++) {
      for (const run of [0, 1, 2, 3]) {
        const { outcome, report, catalog } = fleet.run(index, run, start);
        if (seen.has(outcome)) continue;
        const document = reportOf(report.text);
        seen.set(outcome, document);
        const { resources, edges } = catalogOf(catalog.text);
        const known = new Set(resources.map(reference));
        const containers = new Map(
          edges.flatMap(({ source, target, relationship }) =>
            relationship === 'contains' ? [[reference(target), source.title]] : [],
          ),
        );
        const own = (one: (typeof document.resources)[number]): string => `${one.resource_type}[${one.resource_title}]`;
        expect(document.resources.filter((one) => !known.has(own(one)))).toEqual([]);
        expect(
          document.resources.filter(
            (one) => one.containment_path[0] !== 'Stage[main]' || one.containment_path.at(-1) !== own(one),
          ),
        ).toEqual([]);
        expect(document.resources.filter((one) => one.containment_path.at(-2) !== containers.get(own(one)))).toEqual(
          [],
        );
        expect(
          document.resources.filter((one) => one.timestamp < document.start_time || one.timestamp > document.end_time),
        ).toEqual([]);
        expect(document.resources.filter((one) => one.skipped !== (one.events.length === 0))).toEqual([]);
        const events = document.resources.flatMap((one) => one.events);
        expect(document.metrics.find((one) => one.category === 'events' && one.name === 'total')?.value).toBe(
          events.length,
        );
      }
    }
    expect([...seen.keys()].sort()).toEqual([
      'broken',
      'changed',
      'chatty',
      'corrected',
      'failed',
      'first',
      'noop',
      'quiet',
      'uncompiled',
    ]);
    const statuses = (outcome: string): Set<string> =>
      new Set(seen.get(outcome)?.resources.flatMap((one) => one.events.map((event) => event.status)));
    expect(seen.get('failed')?.status).toBe('failed');
    expect(statuses('failed')).toEqual(new Set(['success', 'failure']));
    expect(seen.get('failed')?.resources.some((one) => one.skipped)).toBe(true);
    expect(seen.get('noop')).toMatchObject({ status: 'unchanged', noop: true, noop_pending: true });
    expect(statuses('noop')).toEqual(new Set(['noop']));
    expect(seen.get('quiet')).toMatchObject({ status: 'unchanged', resources: [], noop_pending: false });
    expect(seen.get('first')?.status).toBe('changed');
    expect(seen.get('broken')?.status).toBe('failed');
    expect(seen.get('uncompiled')).toMatchObject({ status: 'failed', resources: [], catalog_uuid: null });
    expect(seen.get('uncompiled')?.logs.filter(({ level }) => level === 'err')).toHaveLength(2);
  });

  describe('machines in trouble', () => {
    const machine = (trouble: string): number =>
      Array.from({ length: 50 }, (_, index) => index).find((index) => fleet.node(index).trouble === trouble) ?? -1;

    it('fail in the same class in each run', () => {
      const classes = [1, 2, 3, 9].map((run) => {
        const { resources } = reportOf(fleet.run(machine('fails'), run, start).report.text);
        return resources
          .filter(({ events }) => events.some(({ status }) => status === 'failure'))
          .map((one) => one.containment_path.at(-2));
      });
      expect(new Set(classes.flat()).size).toBe(1);
      expect(classes.map((ofRun) => ofRun.length)).toEqual([1, 1, 1, 1]);
    });

    it.each([
      ['fails', ['replace facts', 'replace catalog', 'store report']],
      ['not-compiled', ['replace facts', 'store report']],
      ['silent', []],
      ['without-facts', ['replace catalog', 'store report']],
    ])('%s: submit all at first, then %j', (trouble, later) => {
      const sent = (run: number): string[] =>
        fleet.run(machine(trouble), run, start).sent.map(({ command }) => command);
      expect(sent(0)).toEqual(['replace facts', 'replace catalog', 'store report']);
      expect(sent(3)).toEqual(later);
    });
  });

  it('has versions that the release of the machine has, and machines that lag behind', () => {
    const openssl = Array.from({ length: 100 }, (_, index) => fleet.run(index, 0, start)).map(({ node, facts }) => ({
      node,
      version: versionOf(facts.text, 'openssl'),
    }));
    const ofSystem = (name: string): string[] => [
      ...new Set(openssl.filter(({ node }) => node.system.name === name).map(({ version }) => version)),
    ];
    expect(ofSystem('Debian').sort()).toEqual(['3.0.11-1~deb12u2', '3.0.16-1~deb12u1', '3.0.20-1~deb12u2']);
    expect(ofSystem('Rocky').sort()).toEqual(['1:3.0.7-25.el9_3', '1:3.0.7-27.el9', '1:3.2.2-6.el9_5']);
  });

  it('takes a new version of a package from machine to machine: catalog, then report, then inventory', () => {
    const updated = [0, 3, 12].map((run) => {
      let machines = 0;
      for (let index = 0; index < 40; index++) {
        const { node, facts } = fleet.run(index, run, start);
        if (node.release.update === versionOf(facts.text, 'openssl')) machines++;
      }
      return machines;
    });
    expect(updated[0]).toBe(0);
    expect(updated[1]).toBeGreaterThan(0);
    expect(updated[2]).toBeGreaterThan(updated[1] ?? 0);
    expect(updated[2]).toBeLessThan(40);

    const at = (run: number): { requested: unknown; reported: boolean; installed: string } => {
      const { catalog, report, facts } = fleet.run(index, run, start);
      const isOpenssl = (type: string, title: string): boolean => type === 'Package' && title === 'openssl';
      return {
        requested: catalogOf(catalog.text).resources.find(({ type, title }) => isOpenssl(type, title))?.parameters[
          'ensure'
        ],
        reported: reportOf(report.text).resources.some((one) => isOpenssl(one.resource_type, one.resource_title)),
        installed: versionOf(facts.text, 'openssl'),
      };
    };
    const index = Array.from({ length: 60 }, (_, one) => one).find((one) => {
      const { node, outcome } = fleet.run(one, 1, start);
      return outcome === 'changed' && node.release.update !== undefined;
    }) as number;
    const { update } = fleet.node(index).release;
    expect(at(1)).toEqual({ requested: update, reported: true, installed: at(0).installed });
    expect(at(0).installed).not.toBe(update);
    expect(at(2)).toMatchObject({ requested: update, installed: update });
  });

  it('has clocks that are ahead or behind on some machines, with all times of a run within its half hour', () => {
    const ahead = Array.from({ length: 200 }, (_, index) => fleet.node(index).clockAheadMs);
    expect(ahead.filter((ms) => ms > 1000).length).toBeGreaterThan(3);
    expect(ahead.filter((ms) => ms < -1000).length).toBeGreaterThan(3);
    expect(ahead.filter((ms) => ms === 0).length).toBeGreaterThan(150);
    for (let index = 0; index < 30; index++) {
      const { facts, report } = fleet.run(index, 2, start);
      expect(facts.producerTimestamp >= '2024-05-01T01:00:00.000Z').toBe(true);
      expect(report.producerTimestamp < '2024-05-01T01:30:00.000Z').toBe(true);
    }
  });
});

function versionOf(facts: string, name: string): string {
  const { package_inventory } = JSON.parse(facts) as { package_inventory: [string, string, string][] };
  return package_inventory.find(([one]) => one === name)?.[1] ?? '';
}
