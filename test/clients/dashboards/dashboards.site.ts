/**
 * Tests dashboards and exporters, run as by their users, against the built service over HTTPS. If Python is missing,
 * puppetboard is skipped and the output says so; NODELEDGER_REQUIRE_PYTHON_CLIENTS=1 makes that a failure.
 */
import { missingPython, pythonWith } from '../../support/python-packages';
import { tellSkipped } from '../../support/tell-skipped';
import { until } from '../../support/until';
import { join } from 'node:path';
import { comparedTexts, postQuery, visitBoard } from './board-pages';
import { type Page, visit } from './crawl';
import { ask, exporterProgram, openvoxviewProgram, startExporter, startOpenvoxview } from './go-clients';
import { type BoardOptions, startPuppetboard } from './puppetboard';
import { readRecording, recordedPerShape, shortened } from './recording';
import type { RunningProgram } from './running-program';
import { startStore, type Store } from './store';

let store: Store;

beforeAll(async () => {
  store = await startStore();
}, 600_000);
afterAll(async () => {
  await store?.stop();
});

if (missingPython !== undefined) tellSkipped(missingPython, 'NODELEDGER_REQUIRE_PYTHON_CLIENTS');

/** Views that no page links to. */
const notLinked = ['health_status', 'offline_static', 'views'];
const withPython = missingPython === undefined ? describe : describe.skip;

withPython('puppetboard', () => {
  let python: string;
  const boards: RunningProgram[] = [];
  const board = async (name: string, over: Pick<BoardOptions, 'settings' | 'token'>): Promise<RunningProgram> => {
    const settings = {
      PUPPETDB_HOST: 'localhost',
      PUPPETDB_PORT: store.tlsPort,
      PUPPETDB_SSL_VERIFY: store.ca,
      ...over.settings,
    };
    const started = await startPuppetboard({ ...over, python, settings, folder: join(store.folder, name) });
    boards.push(started);
    return started;
  };
  const expectNoTrouble = (pages: readonly Page[], running: RunningProgram): void => {
    // puppetboard shows links to a report in every environment, but the page is found only in the environment of the
    // report. So a 404 for a report is allowed.
    const failed = pages.filter(({ status, view }) => status !== 200 && !(status === 404 && view === 'report'));
    expect(failed.map(({ status, path }) => `${status} ${path}`)).toEqual([]);
    expect(pages.filter(({ body }) => /Internal Server Error|Traceback/.test(body))).toEqual([]);
    expect(running.output().match(/^.*(?:ERROR|CRITICAL|WARNING|Traceback).*$/gm)).toBeNull();
  };

  beforeAll(async () => {
    python = await pythonWith(join(__dirname, 'requirements.txt'));
  }, 600_000);
  afterAll(async () => {
    for (const started of boards) await started.stop();
  });

  test('with a client certificate: every page, with the content that it has over the reference', async () => {
    const { cert, key } = store.certificate;
    // The documents of the site have fixed times, so the settings must not make its nodes count as silent.
    const settings = { PUPPETDB_CERT: cert, PUPPETDB_KEY: key, UNRESPONSIVE_HOURS: 1_000_000 };
    const running = await board('certificate', { settings });
    const pages = await visitBoard(running.url, recordedPerShape);
    expectNoTrouble(pages, running);
    const views = JSON.parse((await visit(running.url, '/-/views')).body) as string[];
    const visited = new Set(pages.map(({ view }) => view));
    expect(views.filter((view) => !visited.has(view))).toEqual(notLinked);
    expect(Object.fromEntries(shortened(comparedTexts(pages)))).toEqual(Object.fromEntries(readRecording()));
  });

  test('with a token', async () => {
    const running = await board('token', { settings: { PUPPETDB_PROTO: 'https' }, token: store.token });
    const pages = await visitBoard(running.url, 2);
    expectNoTrouble(pages, running);
    // With its default settings, puppetboard shows old nodes as unreported.
    const overview = pages.find(({ path }) => path === '/*/')?.body.replace(/\s+/g, ' ');
    expect(overview).toMatch(/8 <small> nodes <\/small> <\/h1> <\/a> <span>unreported in the last 2 hours/);
  });

  test('without a credential puppetboard shows no page', async () => {
    const running = await board('nobody', { settings: { PUPPETDB_PROTO: 'https' } });
    expect((await visit(running.url, '/')).status).toBe(401);
    expect(running.output()).toContain('Unauthorized');
  });

  test('a query that is wrong shows what the service says of it', async () => {
    const page = await postQuery(boards[0]?.url ?? '', 'pql', 'nodes { nope = 1 }', false);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('nope')]);
  });
});

describe('prometheus-puppetdb-exporter', () => {
  interface Node {
    readonly certname: string;
    readonly deactivated: string | null;
    readonly report_timestamp: string | null;
    readonly report_environment: string | null;
    readonly latest_report_hash: string | null;
    readonly latest_report_status: string | null;
  }
  const anyNode = '["or", ["=", ["node", "active"], false], ["=", ["node", "active"], true]]';

  test('its requests', async () => {
    const nodes = await ask<Node[]>(store, `/pdb/query/v4/nodes?query=${encodeURIComponent(anyNode)}`);
    expect(nodes).toHaveLength(9);
    expect(nodes.filter(({ deactivated }) => deactivated !== null).map(({ certname }) => certname)).toEqual([
      'gone.board.test',
    ]);
    const failed = nodes.find(({ certname }) => certname === 'failed.board.test');
    expect(failed).toMatchObject({ latest_report_status: 'failed', report_environment: 'production' });
    const metrics = await ask<unknown[]>(store, `/pdb/query/v4/reports/${failed?.latest_report_hash}/metrics`);
    expect(metrics).toContainEqual({ category: 'time', name: 'total', value: 1.2345 });
  });

  (exporterProgram === undefined ? test.skip : test)('itself', async () => {
    const exporter = await startExporter(store);
    try {
      let text = '';
      await until(
        async () => (text = await (await fetch(exporter.url)).text()).includes('puppetdb_node_report_status_count{'),
        { what: 'metrics of the exporter' },
      );
      const time = Date.UTC(2026, 2, 2, 12, 2) / 1000;
      const value = (name: string): number =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(name))
            ?.split('} ')[1],
        );
      expect(value('puppet_report{deactivated="false",environment="tests",host="noop.board.test"}')).toBe(time);
      expect(value('puppet_report{deactivated="true",environment="production",host="gone.board.test"}')).toBe(time);
      expect(value('puppet_report_time{environment="tests",host="noop.board.test",name="Total"}')).toBe(1.2345);
      const count = (status: string): number => value(`puppetdb_node_report_status_count{status="${status}"}`);
      // Nodes without a report are unreported.
      expect(['failed', 'unreported'].map(count)).toEqual([1, 2]);
      expect(exporter.output()).not.toMatch(/level=(?:error|warning)/);
    } finally {
      await exporter.stop();
    }
  });
});

describe('openvoxview', () => {
  const latest = { query: ['=', 'latest_report?', true], summarize_by: 'certname' };

  test('its requests', async () => {
    const nodes = await ask<{ certname: string }[]>(store, '/pdb/query/v4/nodes', { query: null });
    expect(nodes).toHaveLength(8);
    const inTests = ['and', ['=', 'catalog_environment', 'tests'], ['=', 'latest_report_status', 'unchanged']];
    expect(await ask(store, '/pdb/query/v4/nodes', { query: inTests })).toMatchObject([
      { certname: 'noop.board.test' },
    ]);
    const counts = await ask<unknown[]>(store, '/pdb/query/v4/event-counts', latest);
    expect(counts).toContainEqual({
      ...{ failures: 1, successes: 1, noops: 0, skips: 1 },
      ...{ subject_type: 'certname', subject: { title: 'failed.board.test' } },
    });
    const systems = { query: ['and', ['or', ['=', 'name', 'os'], ['=', 'name', 'only_here']]] };
    expect(await ask<unknown[]>(store, '/pdb/query/v4/facts', systems)).toContainEqual(
      expect.objectContaining({ certname: 'facts.board.test', name: 'only_here', value: true }),
    );
    expect(await ask(store, '/pdb/query/v4/fact-names')).toContain('kind_map');
    const list = await ask<{ value: Record<string, unknown> }>(store, '/metrics/v2/list');
    expect(Object.keys(list.value)).toContain('puppetlabs.puppetdb.population');
    const pql = 'nodes[certname] { latest_report_status = "failed" and certname ~ "board" }';
    expect(await ask(store, '/pdb/query/v4', { query: pql })).toEqual([{ certname: 'failed.board.test' }]);
  });

  (openvoxviewProgram === undefined ? test.skip : test)('itself', async () => {
    const view = await startOpenvoxview(store);
    try {
      const get = async (path: string, body?: unknown): Promise<unknown> => {
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
        const answer = await fetch(view.url + path, body === undefined ? {} : post);
        expect([path, answer.status]).toEqual([path, 200]);
        return ((await answer.json()) as { Data: unknown }).Data;
      };
      expect(await get('/view/node_overview')).toHaveLength(8);
      expect(await get('/view/node_overview?environment=tests&status=unchanged&status=failed')).toMatchObject([
        { certname: 'noop.board.test', events: { noops: 1 } },
      ]);
      expect(await get('/view/predefined/Inventory')).toMatchObject({ View: { Name: 'Inventory' } });
      expect(await get('/pdb/fact-names')).toContain('kind_map');
      expect(await get('/pdb/event-counts', latest)).toContainEqual(expect.objectContaining({ failures: 1 }));
      const Query = 'nodes[certname] { latest_report_status = "failed" and certname ~ "board" }';
      expect(await get('/pdb/query', { Query, SaveInHistory: true })).toMatchObject({
        ...{ Success: true, Count: 1, Data: [{ certname: 'failed.board.test' }] },
      });
      expect(await get('/pdb/query/history')).toHaveLength(1);
      expect(view.output()).not.toMatch(/level=ERROR/i);
    } finally {
      await view.stop();
    }
  });
});
