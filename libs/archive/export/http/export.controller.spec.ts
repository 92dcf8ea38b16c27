/** Tests an export that is aborted, over HTTP/1.1 and HTTP/2: what the audit log records. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { Module } from '@nestjs/common';
import { AuditLog } from '#access';
import { type HttpServer, openHttp } from '#http';
import { Authority } from '../../../../test/support/certificates';
import { until } from '../../../../test/support/until';
import { ArchiveExports } from './archive-exports';
import { ExportController } from './export.controller';

const outcomes: string[] = [];
let failAt = Infinity;
const audit = {
  record: async (_: unknown, work: () => Promise<void>) => {
    await work().then(
      () => outcomes.push('done'),
      (error: Error) => outcomes.push(error.message),
    );
  },
};
const archives = {
  product: 'nodeledger',
  async *open() {
    for (let at = 0; at < 2_000; at++) {
      if (at === failAt) throw new Error('the log is gone');
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.alloc(16_384, at);
    }
  },
};

@Module({
  controllers: [ExportController],
  providers: [
    { provide: AuditLog, useValue: audit },
    { provide: ArchiveExports, useValue: archives },
  ],
})
class ExportOnly {}

const authority = Authority.make('CA');
const own = authority.issue('localhost');
let server: HttpServer;
beforeAll(async () => {
  const options = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
  const tls = { options, attach: () => undefined, refusal: () => undefined };
  server = await openHttp(ExportOnly, { listeners: [{ host: '127.0.0.1', port: 0, tls }], maxBodyBytes: 1_000 });
});
beforeEach(() => {
  outcomes.length = 0;
  failAt = Infinity;
});
afterAll(async () => {
  await server.close();
  authority.remove();
});

const ca = authority.certificate;
const url = (): string => server.urls[0]!.replace('127.0.0.1', 'localhost');
const path = '/pdb/admin/v1/archive';

/** Stops reading after `most` bytes. Returns the number of bytes read. */
async function over1(most: number): Promise<number> {
  const request = get(`${url()}${path}`, { ca, agent: false }).on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream & { destroy(): void }];
  let bytes = 0;
  answer
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes >= most) answer.destroy();
    });
  await new Promise((resolve) => answer.on('close', resolve));
  return bytes;
}

async function over2(most: number): Promise<number> {
  const session = connect(url(), { ca });
  const stream = session.request({ ':path': path }).on('error', () => undefined);
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes >= most) stream.close(8);
  });
  await new Promise((resolve) => stream.on('close', resolve));
  session.destroy();
  return bytes;
}

it('is refused while two others run, and frees its place when it ends', async () => {
  const ask = async (): Promise<IncomingMessage> => {
    const request = get(`${url()}${path}`, { ca, agent: false }).on('error', () => undefined);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer.on('error', () => undefined);
  };
  // Neither client reads its answer.
  const running = [await ask(), await ask()];
  expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refused = await ask();
  expect([refused.statusCode, refused.headers['x-nodeledger-error']]).toEqual([503, 'archive.exports']);
  for (const answer of [...running, refused]) answer.destroy();
  await until(() => outcomes.length === 2);
  const next = await ask();
  expect(next.statusCode).toBe(200);
  next.destroy();
  await until(() => outcomes.length === 3);
});

describe.each([
  ['HTTP/1.1', over1],
  ['HTTP/2', over2],
])('over %s', (_, download) => {
  it('is done when the client has all of it', async () => {
    expect(await download(Infinity)).toBe(2_000 * 16_384);
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(['done']);
  });

  it('is not done when the client leaves', async () => {
    await download(100_000);
    await until(() => outcomes.length > 0);
    expect(outcomes).not.toEqual(['done']);
  });

  it('is not done when it fails on the way', async () => {
    failAt = 100;
    await download(Infinity);
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(['the log is gone']);
  });
});
