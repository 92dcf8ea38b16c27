/** Signing in, roles, dead letters, a path prefix, and the size of what a browser loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { type RunningService, startService, temporaryDataDir } from '../e2e/service';
import { runVerb } from '../e2e/verb';
import { builtFile } from '../support/built';
import { factset, report } from '../support/documents';
import { accessibilityFaults } from './axe';
import { describeInBrowser, openBrowser, openPage, settle, type WatchedPage } from './browser';

const certname = 'web1.example.net';

describeInBrowser('a service that checks roles', () => {
  let dataDir: string;
  let service: RunningService;
  let browser: Browser;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    const roles = join(dataDir, 'roles.yaml');
    await writeFile(roles, '{}');
    [service, browser] = await Promise.all([
      startService({ dataDir, env: { NODELEDGER_AUTHORIZATION: roles, NODELEDGER_DIALECT: 'puppetdb' } }),
      openBrowser(),
    ]);
    for (const [name, held] of [
      ['reader', ['query']],
      ['operator', ['query', 'submit', 'admin']],
    ] as const) {
      const flags = held.flatMap((role) => ['--role', role]);
      const { stdout } = await runVerb(['token', 'create', name, ...flags, '--data-dir', dataDir], dataDir);
      tokens[name] = (JSON.parse(stdout) as { token: string }).token;
    }
    await submit('replace_facts', '5', JSON.stringify(factset(certname, { role: 'web' })));
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function submit(command: string, version: string, body: string | Buffer<ArrayBuffer>): Promise<void> {
    const query = new URLSearchParams({ command, version, certname, secondsToWaitForCompletion: '20' });
    await fetch(`${service.url}/pdb/cmd/v1?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens['operator']}` },
      body,
    });
  }
  async function signIn(name: string, path = ''): Promise<WatchedPage> {
    const watched = await openPage(browser, service.url);
    const { page } = watched;
    await page.goto(`${service.url}/console/${path}`);
    await page.getByLabel('Token').fill(tokens[name]!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await settle(page);
    // The first answer was 401, which is how the console learns that it needs a token.
    watched.faults.splice(0);
    return watched;
  }

  it('asks for a token, refuses a wrong one in words, and keeps it from scripts', async () => {
    const { page } = await openPage(browser, service.url);
    await page.goto(`${service.url}/console/nodes`);
    await page.getByLabel('Token').fill('nlt_wrong');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('does not know this token').waitFor();
    await page.getByLabel('Token').fill(tokens['reader']!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('h1', { hasText: 'Nodes' }).waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(tokens['reader']);
    await page.context().close();
  });

  it('offers a viewer nothing that the service would refuse', async () => {
    const { page, faults } = await signIn('reader', `nodes/${certname}`);
    expect(await page.locator('.rail .nav', { hasText: 'Operation' }).count()).toBe(0);
    expect(await page.locator('.menu').count()).toBe(0);
    await page.goto(`${service.url}/console/operation`);
    await page.getByText('needs the role admin').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the last run if answers have the names of PuppetDB', async () => {
    await submit('store_report', '8', JSON.stringify(report(certname, [])));
    const { page, faults } = await signIn('reader', `nodes/${certname}`);
    await page.getByText('8.0.0').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('signs out, and asks again if the token is revoked', async () => {
    const { page } = await signIn('reader');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.goto(`${service.url}/console/nodes`);
    await page.getByLabel('Token').waitFor();
    await page.context().close();
  });

  it('shows a dead letter with its payload, retries it, and purges it after a question', async () => {
    await submit('replace_facts', '5', '{"certname": "<b>broken</b>');
    const { page, faults } = await signIn('operator', 'operation');
    await page.getByText('1 rejected command', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: 'Read' }).click();
    await page.getByText('{"certname": "<b>broken</b>').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('1 command rejected again').waitFor();
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Purge' }).click();
    await page.waitForURL(`${service.url}/console/operation`);
    await page.getByText('No command was rejected.').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('does not offer to correct a payload that is not UTF-8', async () => {
    await submit('replace_facts', '5', Buffer.from('{"certname": "\xff', 'latin1'));
    const { page, faults } = await signIn('operator', 'operation');
    await page.getByRole('link', { name: 'Read' }).click();
    await page.getByText('not valid UTF-8, so it cannot be corrected here').waitFor();
    expect(await page.getByRole('button', { name: 'Correct …' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Purge' }).click();
    await page.waitForURL(`${service.url}/console/operation`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('submits a corrected command in place of a dead letter', async () => {
    await submit('replace_facts', '5', '{"certname": ');
    const { page, faults } = await signIn('operator', 'operation');
    await page.getByRole('link', { name: 'Read' }).click();
    await page.getByRole('button', { name: 'Correct …' }).click();
    await page.getByLabel('Corrected payload').fill(JSON.stringify(factset(certname, { role: 'corrected' })));
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(`${service.url}/console/operation`);
    await page.getByText('No command was rejected.').first().waitFor();
    await page.goto(`${service.url}/console/facts/role?value=corrected`);
    await page.getByRole('link', { name: 'web1' }).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('starts a verification after a question, and shows that it has ended after another page', async () => {
    const { page, faults } = await signIn('operator', 'operation');
    const card = page.getByRole('region', { name: 'Maintenance' });
    await card.getByRole('button', { name: 'Verify' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
    await card.getByText('Verify, running').waitFor();
    expect(await card.getByRole('button', { name: 'Rebuild' }).isDisabled()).toBe(true);
    await page.goto(`${service.url}/console/`);
    await settle(page);
    await page.goto(`${service.url}/console/operation`);
    await card.getByText('Verify, done').waitFor();
    await card.getByText('Output').click();
    await card.getByText('the read tables agree with the log').waitFor();
    await card.getByText('by token operator').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('works below a path prefix that only the proxy knows', async () => {
    const prefix = '/some/prefix';
    const proxy = await startProxy(service.url, prefix);
    const { port } = proxy.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const { page, faults } = await openPage(browser, origin);
    await page.goto(`${origin}${prefix}/console/nodes/${certname}/facts?open=os`);
    await page.getByLabel('Token').fill(tokens['reader']!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('h1', { hasText: 'web1' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.waitForURL(`${origin}${prefix}/console/`);
    await settle(page);
    await page.reload();
    await settle(page);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await page.context().close();
    proxy.close();
    proxy.closeAllConnections();
  });
});

test('what a browser loads before the query page is less than 150 kB when compressed', () => {
  const folder = builtFile('apps/console/assets');
  const sizes = readdirSync(folder)
    .filter((name) => /\.(js|css)$/.test(name) && !name.startsWith('editor-'))
    .map((name) => gzipSync(readFileSync(join(folder, name))).byteLength);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

/** A reverse proxy that serves the service below a prefix, and nothing else. */
async function startProxy(target: string, prefix: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(`${prefix}/`) !== true) {
      outgoing.writeHead(404).end();
      return;
    }
    const options = { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } };
    const forwarded = request(target + incoming.url.slice(prefix.length), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
