/** A node with very many resources and events, and very many live changes: no task of the browser is long, and memory stays flat. */
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { type RunningService, startService, temporaryDataDir } from '../e2e/service';
import { catalog, event, factset, report, resource } from '../support/documents';
import { until } from '../support/until';
import { submitAndWait } from '../support/submit-and-wait';
import { describeInBrowser, longestTask, openBrowser, openPage, settle } from './browser';

const certname = 'large.example.net';
const resources = 30_000;
const reports = 4;
const eventsOfReport = 25_000;

const now = new Date().toISOString();
const produced = (): { producer_timestamp: string } => ({ producer_timestamp: new Date().toISOString() });

const reportedResource = (title: string, run: number): object => ({
  resource_type: 'File',
  resource_title: title,
  file: '/srv/code/site.pp',
  line: 7,
  skipped: false,
  timestamp: now,
  containment_path: ['Stage[main]', 'Main', `File[${title}]`],
  corrective_change: false,
  events: ['ensure', 'content', 'owner', 'group', 'mode'].map((property) =>
    event(property, { timestamp: now, message: `changed in run ${run}`, new_value: `${run}` }),
  ),
});

describeInBrowser('large content', () => {
  let dataDir: string;
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [service, browser] = await Promise.all([
      startService({ dataDir, env: { NODELEDGER_MAX_RESOURCES: String(resources + 1) } }),
      openBrowser(),
    ]);
    await submit('replace_facts', 5, factset(certname, { role: 'large' }, produced()));
    const titles = Array.from({ length: resources }, (_, index) => `/srv/files/${index}`);
    const files = titles.map((title, index) =>
      resource(title, { type: 'File', parameters: { ensure: 'file', content: `file ${index}` } }),
    );
    await submit(
      'replace_catalog',
      9,
      catalog(certname, [resource('main', { type: 'Class' }), ...files], [], produced()),
    );
    for (let run = 0; run < reports; run++) {
      const resourcesOfRun = titles.slice(0, eventsOfReport / 5).map((title) => reportedResource(title, run));
      const times = { start_time: now, end_time: now, ...produced() };
      await submit('store_report', 8, report(certname, [], { resources: resourcesOfRun, ...times }));
    }
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const submit = (command: string, version: number, payload: unknown): Promise<void> =>
    submitAndWait(service.url, certname, command, version, payload);

  it('has as many resources and events as the test says', async () => {
    const count = async (query: string): Promise<unknown> =>
      (await fetch(`${service.url}/pdb/query/v4?query=${encodeURIComponent(query)}`)).json();
    expect(await count('resources[count()] {}')).toEqual([{ count: resources + 1 }]);
    expect(await count('events[count()] {}')).toEqual([{ count: reports * eventsOfReport }]);
  });

  it.each(['', '/resources', '/resources?by=class&open=main', '/relations?of=Class%5Bmain%5D', '/reports'])(
    'shows the node%s without a task of more than 200 ms',
    async (tab) => {
      expect(await longestTask(browser, service.url, `nodes/${certname}${tab}`)).toBeLessThan(200);
    },
  );

  it.each(['events?status=success&window=14d&by=type', 'events?status=success&window=14d&by=resource', 'resources'])(
    'shows %s without a task of more than 200 ms',
    async (path) => {
      expect(await longestTask(browser, service.url, path)).toBeLessThan(200);
    },
  );

  it('shows a report with all of its events without a task of more than 200 ms', async () => {
    const answer = await fetch(`${service.url}/pdb/query/v4/reports?limit=1`);
    const [{ hash }] = (await answer.json()) as [{ hash: string }];
    expect(await longestTask(browser, service.url, `reports/${hash}`)).toBeLessThan(200);
  });

  it('keeps its memory flat during 400 live changes, as a fleet of 100 nodes makes in an hour', async () => {
    const { page } = await openPage(browser, service.url);
    await page.goto(`${service.url}/console/`);
    await settle(page);
    const session = await page.context().newCDPSession(page);
    const heapBytes = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    let sent = 0;
    const change = async (times: number): Promise<void> => {
      for (const end = sent + times; sent < end; sent++)
        await submit('replace_facts', 5, factset(certname, { role: 'large', build: `build ${sent}` }, produced()));
      await until(async () => (await page.getByText(`build ${sent - 1}`).count()) > 0, { what: 'the last change' });
    };
    await change(100);
    const before = await heapBytes();
    await change(400);
    expect((await heapBytes()) - before).toBeLessThan(1_000_000);
    await page.context().close();
  }, 300_000);
});
