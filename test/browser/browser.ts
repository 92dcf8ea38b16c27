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
