/** The console with the fleet of the demo: every page, how one moves, and what fits on a phone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from './axe';
import { describeInBrowser, openBrowser, openPage, settle, type WatchedPage } from './browser';
import { type Demo, startDemo } from './demo';
import { type PageAddress, pagesOf } from './pages';
import { until } from '../support/until';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describeInBrowser('the console', () => {
  let demo: Demo;
  let browser: Browser;
  let root: string;
  let pages: readonly PageAddress[];
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    demo = await startDemo(40);
    root = `${demo.url}/console/`;
    [browser, pages] = await Promise.all([openBrowser(), pagesOf(demo.url)]);
  }, 300_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  }, 60_000);

  async function open(path: string, options = {}): Promise<WatchedPage> {
    const watched = await openPage(browser, demo.url, options);
    opened.push(watched);
    await watched.page.goto(root + path);
    await settle(watched.page);
    return watched;
  }
  /** How many rows the list of nodes has: only those in sight are elements. */
  async function rowsOf(page: Page): Promise<number> {
    if ((await page.locator('table.list').count()) === 0) return 0;
    return Number(await page.locator('table.list').getAttribute('aria-rowcount')) - 1;
  }
  /** Deactivates a node. Resolves when queries show it. */
  async function deactivate(certname: string): Promise<void> {
    await fetch(
      `${demo.url}/pdb/cmd/v1?command=deactivate_node&version=3&certname=${certname}&secondsToWaitForCompletion=20`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ certname, producer_timestamp: new Date().toISOString() }),
      },
    );
  }
  /** Opens all pages one after the other in one window, and returns what is wrong with each. */
  async function inspect(
    options: object,
    look: (page: Page) => Promise<readonly string[]>,
  ): Promise<Record<string, readonly string[]>> {
    const { page, faults } = await open('', options);
    const found: Record<string, readonly string[]> = {};
    for (const { name, path } of pages) {
      faults.length = 0;
      await page.goto(root + path);
      await settle(page);
      const wrong = [...(await look(page)), ...faults];
      if (wrong.length > 0) found[name] = wrong;
    }
    return found;
  }

  it.each(['light', 'dark'] as const)(
    'shows every page in %s colours without an error, a request elsewhere, or a fault of accessibility',
    async (colorScheme) => {
      expect(await inspect({ colorScheme }, accessibilityFaults)).toEqual({});
    },
    240_000,
  );

  it('fits every page on a phone', async () => {
    const wide = (page: Page): Promise<readonly string[]> =>
      page.evaluate(() => {
        const beyond = document.documentElement.scrollWidth - innerWidth;
        return beyond > 0 ? [`${beyond} px too wide`] : [];
      });
    expect(await inspect(phone, wide)).toEqual({});
  }, 240_000);

  it('moves by the keyboard alone', async () => {
    const { page, faults } = await open('');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.locator('h1', { hasText: 'Nodes' }).waitFor();
    await page.locator('tr[data-row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const second = await page.locator('tr[data-row]').nth(1).getAttribute('data-certname');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${root}nodes/${second}`);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('os.name');
    await page.getByRole('option', { name: /^os\.name fact/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${root}facts/os.name`);
    // A key that is part of a text does nothing else.
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('');
    await page.keyboard.type('role=web');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${root}nodes?fact.role=web`);
    expect(faults).toEqual([]);
  });

  it('returns with Back to the same filter, and goes Forward again', async () => {
    const { page } = await open('nodes');
    const heading = (): Promise<string> => page.locator('.pagehead p').innerText();
    /** Clicks the filter, and waits for the filtered list. */
    const filter = async (hasText: string, address: string): Promise<void> => {
      const before = await heading();
      await page.locator('.facet a', { hasText }).click();
      await page.waitForURL(`${root}${address}`);
      await until(async () => (await heading()) !== before, { what: `another heading than ${before}` });
    };
    await filter('Unchanged', 'nodes?status=unchanged');
    await filter('Debian', 'nodes?status=unchanged&fact.os.name=Debian');
    const shown = await heading();
    await page.locator('tr[data-row] a').first().click();
    await page.waitForURL(/console\/nodes\/[^?]+$/);
    await page.goBack();
    await page.waitForURL(`${root}nodes?status=unchanged&fact.os.name=Debian`);
    await until(async () => (await heading()) === shown, { what: `the heading ${shown}` });
    await page.goBack();
    await page.waitForURL(`${root}nodes?status=unchanged`);
    await page.goForward();
    await page.waitForURL(`${root}nodes?status=unchanged&fact.os.name=Debian`);
    await page.getByRole('link', { name: 'Remove the filter status' }).click();
    await page.waitForURL(`${root}nodes?fact.os.name=Debian`);
  });

  it('links each figure of the overview to as many nodes', async () => {
    const { page } = await open('');
    const figures = await page.locator('.fleet a').evaluateAll((links) =>
      links.map((link) => ({
        href: (link as HTMLAnchorElement).href,
        figure: link.querySelector('.n')?.textContent,
      })),
    );
    expect(figures).toHaveLength(5);
    for (const { href, figure } of figures) {
      await page.goto(href);
      await settle(page);
      expect([href, await rowsOf(page)]).toEqual([href, Number(figure)]);
    }
  });

  it('links each cause of failures to as many nodes', async () => {
    const { page } = await open('');
    const causes = await page
      .locator('.causes td.main a')
      .evaluateAll((links) =>
        links.map((link) => ({ href: (link as HTMLAnchorElement).href, figure: parseInt(link.textContent ?? '', 10) })),
      );
    expect(causes.length).toBeGreaterThan(0);
    for (const { href, figure } of causes.filter((cause) => cause.figure > 1)) {
      await page.goto(href);
      await settle(page);
      expect(await rowsOf(page)).toBe(figure);
    }
  });

  it('links each failing class to as many nodes', async () => {
    const { page } = await open('?by=class');
    await page.locator('.causes tr[data-row]').first().waitFor();
    const classes = await page
      .locator('.causes td.main a')
      .evaluateAll((links) =>
        links.map((link) => ({ href: (link as HTMLAnchorElement).href, figure: parseInt(link.textContent ?? '', 10) })),
      );
    expect(classes.length).toBeGreaterThan(0);
    for (const { href, figure } of classes) {
      await page.goto(href);
      await settle(page);
      expect([href, await rowsOf(page)]).toEqual([href, figure]);
    }
  });

  it('shows the fleet before something broke two hours ago', async () => {
    const { page, faults } = await open(`?as_of=${new Date(Date.now() - 2 * 3_600_000).toISOString()}`);
    const broken = page.locator('.causes tr[data-row]', { hasText: 'Service[telegraf]' });
    await page.locator('.causes tr[data-row]').first().waitFor();
    expect(await broken.count()).toBe(0);
    await page.goto(root);
    await broken.first().waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the machines that drift from their group, and the packages of a rollout', async () => {
    const { page, faults } = await open('drift?by=role');
    const row = page.locator('table.compare tr[data-row]', { hasText: 'containers.engine' });
    await row.waitFor();
    expect(await row.locator('td').nth(1).innerText()).toBe('containerd');
    expect(await row.locator('td').nth(2).innerText()).toMatch(/^docker on [a-z]+-\d/);
    await page.goto(`${root}packages/openssl`);
    await settle(page);
    expect(await page.locator('.bars .bar-row').count()).toBeGreaterThan(3);
    expect(faults).toEqual([]);
  });

  it('remembers the colours that the viewer chose', async () => {
    const { page } = await open('', { colorScheme: 'light' });
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const button = page.getByRole('button', { name: /^Colours/ });
    await button.click();
    await button.click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await settle(page);
    expect(await background()).toBe(dark);
  });

  it('checks a query while one types, repairs it on Tab, and shows its rows', async () => {
    const { page, faults } = await open('query');
    const editor = page.getByRole('textbox', { name: 'Query' });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('nodes[certname] { latest_report_staus = "failed" }');
    await page.locator('.note.bad').waitFor();
    expect(await page.locator('.note.bad').innerText()).toContain('latest_report_status');
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('latest_report_staus');
    await page.keyboard.press('Tab');
    await page.locator('.note.bad').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await page.locator('table.results tr[data-row]').first().waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('nodes[certname] { latest_report_status = "failed" }');
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('answer.csv');
    expect(faults).toEqual([]);
  });

  it('shows the rows of a query with times as a line', async () => {
    const query =
      'reports[end_time, metrics.time.total] { metrics.time.total is not null and status = "unchanged" order by end_time limit 20 }';
    const { page, faults } = await open(`query?q=${encodeURIComponent(query)}&as=chart`);
    await page.getByRole('img', { name: /^metrics.time.total over end_time, from / }).waitFor();
    await page.locator('.plot canvas').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows a chart of a query, and keeps a saved query', async () => {
    const text = 'inventory[facts.os.name, count()] { group by facts.os.name }';
    const { page, faults } = await open(`query?q=${encodeURIComponent(text)}&as=chart`);
    await page.locator('.bars .bar-row', { hasText: 'Debian' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto(`${root}query`);
    const list = page.locator('.facet', { hasText: 'Saved in this browser' });
    await list.getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('q') === text);
    await list.getByRole('button', { name: /^Remove/ }).click();
    await list.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('completes entities, and fields of the entity', async () => {
    const { page } = await open('query');
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('no');
    await page.locator('.cm-completionLabel', { hasText: 'nodes' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('[cert');
    await page.locator('.cm-completionLabel', { hasText: 'certname' }).first().waitFor();
  });

  it('compares two nodes that were selected in the list', async () => {
    const { page } = await open('nodes');
    const names: (string | null)[] = [];
    for (const row of [0, 1]) {
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      names.push(await page.locator('tr[data-row]').nth(row).getAttribute('data-certname'));
    }
    await page.keyboard.press('c');
    await page.waitForURL(`${root}compare?a=${names[0]}&b=${names[1]}`);
    await page.locator('table.compare tr[data-row]').first().waitFor();
    const differences = await page.locator('table.compare tr[data-row]').count();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(/show=all/);
    await until(async () => (await page.locator('table.compare tr[data-row]').count()) > differences, {
      what: `more rows than the ${differences} that differ`,
    });
  });

  it('saves the nodes that are shown as CSV', async () => {
    const { page } = await open('nodes?status=failed&columns=kernel');
    const rows = await page.locator('tr[data-row]').count();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const stream = await (await saved).createReadStream();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('certname,status,kernel,environment,report_timestamp');
    expect(lines).toHaveLength(rows + 1);
  });

  it('deactivates a node, and deletes it when its name is typed', async () => {
    const { page, faults } = await open('nodes');
    const row = page.locator('tr[data-row]', { hasText: 'unchanged' }).last();
    const certname = (await row.getAttribute('data-certname')) ?? '';
    await row.locator(`a[href$="/nodes/${certname}"]`).click();
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Deactivate …' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.locator('.st.box', { hasText: 'Deactivated' }).waitFor();
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    const button = page.getByRole('button', { name: 'Delete', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Type the name to delete it').fill(certname);
    await button.click();
    await page.waitForURL(`${root}nodes`);
    await page.locator('tr[data-row]').first().waitFor();
    expect(await page.locator(`tr[data-certname="${certname}"]`).count()).toBe(0);
    await page.goto(`${root}nodes/${certname}`);
    await page.getByText('No node has this name.').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the fleet as of an earlier time on every page, and cannot change it', async () => {
    const { page, faults } = await open('nodes?sort=-certname');
    const before = await rowsOf(page);
    const certname = (await page.locator('tr[data-row]').first().getAttribute('data-certname')) ?? '';
    const time = new Date().toISOString();
    await deactivate(certname);
    await page.goto(`${root}nodes?sort=-certname`);
    await settle(page);
    expect(await rowsOf(page)).toBe(before - 1);
    await page.keyboard.press('t');
    await page.getByLabel('Time', { exact: true }).fill('soon');
    await page.keyboard.press('Enter');
    await page.getByText('Type a time such as').waitFor();
    await page.getByLabel('Time', { exact: true }).fill(time);
    await page.keyboard.press('Enter');
    await page.locator('.past').waitFor();
    await until(async () => (await rowsOf(page)) === before, { what: `${before} rows` });
    await page.locator(`tr[data-certname="${certname}"] a`).first().click();
    await page.waitForURL((url) => url.pathname.endsWith(certname) && url.searchParams.get('as_of') === time);
    await settle(page);
    expect(await page.locator('.st.box', { hasText: 'Deactivated' }).count()).toBe(0);
    expect(await page.locator('.menu').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to now' }).click();
    await page.locator('.st.box', { hasText: 'Deactivated' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('goes from change to change on the time slider, and shows the node and its timeline as of then', async () => {
    const { page, faults } = await open(pages.find(({ name }) => name === 'node')!.path);
    const slider = page.getByRole('slider', { name: 'Time' });
    const entries = page.locator('ol.tl time[datetime]');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Now');
    const newest = await entries.first().getAttribute('datetime');
    await slider.focus();
    const times: string[] = [];
    while (times.length < 3) {
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL((url) => url.searchParams.has('as_of') && !times.includes(url.searchParams.get('as_of')!));
      times.push(new URL(page.url()).searchParams.get('as_of')!);
    }
    expect(times).toEqual([...times].sort().reverse());
    await settle(page);
    await until(async () => (await entries.first().getAttribute('datetime')) === times[2], {
      what: `the timeline up to ${times[2]}`,
    });
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('as_of') === times[1]);
    // The keys have left one step in the history of the browser.
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('as_of'));
    await settle(page);
    await until(async () => (await entries.first().getAttribute('datetime')) === newest, {
      what: 'the whole timeline',
    });
    // A click shows the fleet as of the time below the pointer.
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width - 80, box.y + 30);
    await page.waitForURL((url) => url.searchParams.has('as_of'));
    await page.locator('.past').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the history of a value, and the node as of an entry', async () => {
    const { page, faults } = await open(pages.find(({ name }) => name === 'facts of a node')!.path);
    await page.locator('tr', { hasText: 'family' }).getByRole('link', { name: 'History of os.family' }).click();
    await page.waitForURL((url) => url.searchParams.get('path') === 'os.family');
    await settle(page);
    const lines = await page.locator('.tl .ch').allInnerTexts();
    expect(lines.length).toBeGreaterThan(0);
    // The first facts of the node came with the whole fact `os`.
    for (const line of lines) expect(line).toMatch(/^os\b/);
    const entry = page.locator('.tl time').last();
    const time = await entry.getAttribute('datetime');
    await entry.getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('as_of') === time && !url.searchParams.has('path'));
    await page.locator('.past').waitFor();
    expect(faults).toEqual([]);
  });

  it('compares a node of an earlier time with its present', async () => {
    const { page, faults } = await open(pages.find(({ name }) => name === 'node')!.path);
    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('Home');
    await page.locator('.past').waitFor();
    const first = new URL(page.url()).searchParams.get('as_of');
    await page.getByRole('link', { name: 'Compare with now' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/compare') && !url.searchParams.has('as_of'));
    expect(new URL(page.url()).searchParams.get('a')).toMatch(new RegExp(`@${first}$`));
    await settle(page);
    // The first document of the node had its facts, and its catalog followed.
    await page.getByRole('navigation', { name: 'What is compared' }).getByRole('link', { name: 'Resources' }).click();
    await settle(page);
    const [before, after] = [page.locator('table.compare td.del'), page.locator('table.compare td.add')];
    expect(new Set(await before.allInnerTexts())).toEqual(new Set(['missing']));
    expect(new Set(await after.allInnerTexts())).toEqual(new Set(['present']));
    await page.getByLabel('Time of the second node').fill('soon');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Time of the second node').fill('1 m ago');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => /@\d{4}-.*Z$/.test(url.searchParams.get('b') ?? ''));
    expect(faults).toEqual([]);
  });

  it('shows changes at once in two tabs, which share one connection', async () => {
    const { page, faults } = await open('nodes?sort=-certname&status=unchanged');
    const certname = (await page.locator('tr[data-row]').nth(1).getAttribute('data-certname')) ?? '';
    const context = page.context();
    let streams = 0;
    context.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/v1/changes')) streams++;
    });
    const tabs = [page, await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(root);
      await settle(tab);
      await tab.locator('.card .live', { hasText: 'Live' }).waitFor();
      // Nothing comes from asking again.
      await tab.route('**/v1/timeline?*', () => new Promise(() => undefined));
    }
    expect(streams).toBe(1);
    await deactivate(certname);
    for (const tab of tabs)
      await tab.locator('.tl li', { hasText: 'Deactivated' }).locator(`a[href$="/nodes/${certname}"]`).waitFor();
    // The other tab goes on when the one with the connection is closed.
    await tabs[0]!.close();
    await until(() => Promise.resolve(streams === 2), { what: 'the connection of the other tab' });
    expect(faults).toEqual([]);
  });

  const writesPictures = process.env['NODELEDGER_WRITE_PAGES'] === '1';
  if (!writesPictures) console.info('skipped: NODELEDGER_WRITE_PAGES=1 takes the pictures of docs/console.md');
  (writesPictures ? it : it.skip)(
    'takes pictures for docs/console.md',
    async () => {
      const folder = join(__dirname, '../../docs/console');
      mkdirSync(folder, { recursive: true });
      const pathOf = (wanted: string): string => pages.find(({ name }) => name === wanted)!.path;
      const shots: readonly (readonly [file: string, path: string, options: object])[] = [
        ['overview', '', {}],
        ['overview-dark', '', { colorScheme: 'dark' }],
        ['nodes', 'nodes', {}],
        ['node', pathOf('node'), {}],
        ['report', pathOf('report'), {}],
        ['query', pathOf('query'), {}],
        ['fact', pathOf('fact'), {}],
        [
          'node-past',
          `${pathOf('node').replace(/\?.*/, '')}?as_of=${new Date(Date.now() - 3 * 3_600_000).toISOString()}`,
          {},
        ],
        ['events', pathOf('changes of 14 days by type'), {}],
        ['package', pathOf('package'), {}],
        ['resource', pathOf('resource'), {}],
        ['compare', pathOf('resources of two nodes'), {}],
        ['drift', 'drift?by=role', {}],
        ['operation', 'operation', {}],
        ['operation-dark', 'operation', { colorScheme: 'dark' }],
        ['nodes-phone', 'nodes', { ...phone, deviceScaleFactor: 1 }],
      ];
      for (const [file, path, options] of shots) {
        const { page } = await open(path, { viewport: { width: 1120, height: 640 }, ...options });
        await page.screenshot({ path: join(folder, `${file}.png`) });
      }
    },
    120_000,
  );
});
