/** Chromium, driven by playwright-core. A page notes everything that a console must not do. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { tellSkipped } from '../support/tell-skipped';

const executable = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
if (executable === undefined)
  tellSkipped('the console is not opened: there is no chromium', 'NODELEDGER_REQUIRE_BROWSER');

/** `describe`, or `describe.skip` if there is no browser. */
export const describeInBrowser = executable === undefined ? describe.skip : describe;

// Colours of the system would differ between machines, and nothing but the service may be reached.
const flags = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];
const alone = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable!, args: [...flags, alone] });

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, errors of scripts, answers from 400 on, and requests to other origins. */
  readonly faults: string[];
}

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Amsterdam',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${decodeURIComponent(response.url())}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(`elsewhere: ${url.href}`);
  });
  return { page, faults };
}

/** Waits until the page has its heading and all of its data. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

/**
 * Returns the duration of the longest task in milliseconds while a page of the console loads. Other programs can take the
 * processor in the middle of a task, so the function loads the page again if a task is long, and returns the shortest result.
 */
export async function longestTask(browser: Browser, origin: string, path: string): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 4 && least > 200; tries++) {
    const { page } = await openPage(browser, origin);
    await page.addInitScript(() => {
      const tasks: number[] = [];
      (globalThis as { tasks?: number[] }).tasks = tasks;
      const note = (list: { getEntries(): readonly { duration: number }[] }): unknown =>
        tasks.push(...list.getEntries().map(({ duration }) => duration));
      new PerformanceObserver(note).observe({ type: 'longtask' });
    });
    await page.goto(`${origin}/console/${path}`);
    await settle(page);
    least = Math.min(
      least,
      await page.evaluate(() => Math.max(0, ...((globalThis as { tasks?: number[] }).tasks ?? []))),
    );
    await page.context().close();
  }
  return least;
}
