/**
 * Tests the page at /docs/api in a real browser. Without Chromium it is skipped; NODELEDGER_REQUIRE_BROWSER=1 requires
 * it.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { tellSkipped } from '../support/tell-skipped';
import { type RunningService, startService, temporaryDataDir } from './service';

const browser = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
if (browser === undefined) tellSkipped('the page is not opened: there is no chromium', 'NODELEDGER_REQUIRE_BROWSER');

(browser === undefined ? describe.skip : describe)('the page in a browser', () => {
  let dataDir: string;
  let service: RunningService;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    service = await startService({ dataDir });
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** The elements of the page after its scripts have run, and the messages of the console. */
  async function open(path: string): Promise<{ elements: string; console: string }> {
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--dump-dom'];
    const own = [`--user-data-dir=${join(dataDir, 'browser')}`, '--virtual-time-budget=20000'];
    // The browser can reach nothing else, so the page must not need anything else.
    const alone = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';
    const { stdout, stderr } = await promisify(execFile)(browser!, [...flags, ...own, alone, service.url + path], {
      maxBuffer: 64 << 20,
      timeout: 90_000,
    });
    return {
      elements: stdout,
      console: stderr
        .split('\n')
        .filter((line) => line.includes('CONSOLE'))
        .join('\n'),
    };
  }

  it('shows the operations, and the policy of its content stops nothing', async () => {
    const page = await open('/docs/api');
    expect(page.console).toBe('');
    for (const tag of ['commands', 'queries', 'dead letters']) expect(page.elements).toContain(`data-tag="${tag}"`);
    expect(page.elements).toContain('OAS 3.1');
  }, 120_000);

  it('shows one operation with its parameters and examples', async () => {
    const page = await open('/docs/api#/commands/submitCommand');
    expect(page.console).toBe('');
    expect(page.elements).toContain('secondsToWaitForCompletion');
    expect(page.elements).toContain('replace facts 5');
  }, 120_000);
});
