/** Content that tries to run scripts, to leave its place, or to be too large: it must show as text. */
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { catalog, event, factset, report, resource } from '../support/documents';
import { type RunningService, startService, temporaryDataDir } from '../e2e/service';
import { submitAndWait } from '../support/submit-and-wait';
import { describeInBrowser, longestTask, openBrowser, openPage, settle } from './browser';

const script = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
const attribute = '" autofocus onfocus="window.hit=1" x="';
const link = 'javascript:window.hit=1';
const turned = 'safe\u202Egpj.exe\u0000\u001b[31m';
const certname = 'hostile.example.net';
const megabyte = 'x<b>'.repeat(260_000);

describeInBrowser('hostile content', () => {
  let dataDir: string;
  let service: RunningService;
  let browser: Browser;
  let before: string;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [service, browser] = await Promise.all([startService({ dataDir }), openBrowser()]);
    const values = {
      plain: script,
      [script]: attribute,
      [attribute]: { [script]: script, list: [script, link] },
      turned: turned.replace('\u0000', ''),
      large: megabyte,
      role: script,
    };
    await submit('replace_facts', 5, factset(certname, { plain: attribute }));
    before = new Date().toISOString();
    await submit('replace_facts', 5, factset(certname, values));
    await submit(
      'replace_catalog',
      9,
      catalog(
        certname,
        [resource('main', { type: 'Class' }), resource(script, { parameters: { [attribute]: script } })],
        [],
      ),
    );
    const events = [
      event(attribute, {
        status: 'failure',
        message: script,
        old_value: script,
        new_value: megabyte.slice(0, 100_000),
      }),
    ];
    await submit('store_report', 8, report(certname, events, { status: 'failed' }));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const submit = (command: string, version: number, payload: unknown): Promise<void> =>
    submitAndWait(service.url, certname, command, version, payload);

  it('runs no script of any field on any page, and shows the text', async () => {
    const answer = await fetch(`${service.url}/pdb/query/v4?query=${encodeURIComponent('reports[hash]{}')}`);
    const [{ hash = '' } = {}] = (await answer.json()) as readonly { hash?: string }[];
    const encoded = encodeURIComponent(script);
    const paths = [
      '',
      'nodes',
      `nodes?fact.role=${encoded}&q=${encoded}&columns=${encoded}&facets=${encoded}`,
      `nodes/${certname}`,
      `nodes/${certname}?path=plain&as_of=${encoded}`,
      `nodes/${certname}?resource=${encodeURIComponent(`File[${script}]`)}`,
      `nodes/${certname}/facts?open=${encodeURIComponent(attribute)}`,
      `nodes/${certname}/facts?find=window`,
      `nodes/${certname}/resources`,
      `nodes/${encoded}`,
      `reports/${hash}`,
      `reports/${hash}/logs?level=all`,
      'events',
      `events?class=${encoded}&type=${encoded}`,
      'facts',
      'facts/plain',
      `resources/File/${encoded}`,
      `compare?a=${certname}&b=${encoded}`,
      ...['facts', 'resources', 'edges', 'packages'].map(
        (part) => `compare?a=${certname}@${encodeURIComponent(before)}&b=${certname}&part=${part}`,
      ),
      `query?q=${encodeURIComponent('facts { }')}`,
      `query?q=${encodeURIComponent('facts { }')}&as=json`,
      `query?q=${encoded}`,
    ];
    const { page, faults } = await openPage(browser, service.url);
    for (const path of paths) {
      await page.goto(`${service.url}/console/${path}`);
      await settle(page);
      expect([path, await page.evaluate(() => (globalThis as { hit?: number }).hit)]).toEqual([path, undefined]);
      expect([path, await page.locator('#console img, #console script, #console .value b').count()]).toEqual([path, 0]);
    }
    // A query that is no query, and a node that does not exist, are refused; nothing else fails.
    expect(faults.filter((fault) => !/400|status of 400|404|status of 404/.test(fault))).toEqual([]);
    await page.goto(`${service.url}/console/nodes/${certname}?path=plain`);
    await page
      .locator('.tl ins', { hasText: script.slice(0, 20) })
      .first()
      .waitFor();
    await page.goto(`${service.url}/console/nodes/${certname}/facts`);
    await page.getByText(script).first().waitFor();
    expect(await page.locator('td', { hasText: 'gpj' }).innerText()).toContain('safe⟨202E⟩gpj.exe␛[31m');
    await page.context().close();
  }, 180_000);

  it('shows a value of 1 MB without a task of more than 200 ms', async () => {
    expect(await longestTask(browser, service.url, `nodes/${certname}/facts`)).toBeLessThan(200);
  });
});
