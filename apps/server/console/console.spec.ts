import 'reflect-metadata';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpServer, openHttp } from '#http';
import { ConsoleModule } from './console.module';

let folder: string;
let server: HttpServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodeledger-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><head><base href="./" /></head>');
  await writeFile(join(folder, 'assets/main-ABC123.js'), `export {};${' '.repeat(5_000)}`);
  await writeFile(join(folder, 'assets/notes.secret'), 'not served');
  server = await openHttp(ConsoleModule.register(folder), {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Requests the path unchanged. `fetch` would normalize the path. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
    const sent = request(`${server.urls[0]}`, { path, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          text: Buffer.concat(pieces).toString('latin1'),
        }),
      );
    });
    sent.on('error', reject).end();
  });

it.each([
  ['/console', 'console/'],
  ['/console/', './'],
  ['/console/nodes', './'],
  ['/console/nodes?status=failed&q=/a/b', './'],
  ['/console/nodes/web1.example.com/facts', '../../'],
  ['/console/resources/File/%2Fetc%2Fhosts', '../../'],
  [`/console${'/x'.repeat(16)}`, '../'.repeat(15)],
])('answers %s with the page and the base %s', async (path, base) => {
  const page = await get(path);
  expect([page.status, page.headers['content-type'], page.text]).toEqual([
    200,
    'text/html;charset=utf-8',
    `<!doctype html><head><base href="${base}" /></head>`,
  ]);
  // When a browser resolves the base, the result is the root of the console.
  expect(new URL(base, `http://host/prefix${path}`).pathname).toBe('/prefix/console/');
});

it('answers 404 for an address with too many segments', async () => {
  expect((await get(`/console${'/x'.repeat(17)}`)).status).toBe(404);
});

it('lets browsers run only its own programs, and asks them to check the page before they use it again', async () => {
  const { headers } = await get('/console/');
  const policy = headers['content-security-policy']!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
  expect((await get('/console/', { 'if-none-match': headers['etag']! })).status).toBe(304);
});

it('lets browsers keep the files for ever, and sends them compressed', async () => {
  const file = await get('/console/assets/main-ABC123.js', { 'accept-encoding': 'gzip' });
  expect([file.status, file.headers]).toMatchObject([
    200,
    {
      'content-type': 'text/javascript;charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  ]);
  expect(file.text.length).toBeLessThan(1_000);
});

it.each(['missing.js', 'notes.secret', '..%2findex.html', '%2e%2e%2findex.html', '..'])(
  'has no other file: %s',
  async (name) => {
    expect((await get(`/console/assets/${name}`)).status).toBe(404);
  },
);
