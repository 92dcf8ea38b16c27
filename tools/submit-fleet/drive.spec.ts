import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Fleet } from '#fleet';
import { writeDocument } from './document-files';
import { driveFleet } from './drive';
import type { FleetPlan } from './drive';
import { ServerLink, encodeCommand } from './server-link';
import { untilCounted, untilVisible } from './visibility';

const fleet = new Fleet('drive');
const plan: FleetPlan = {
  firstNode: 2,
  nodes: 3,
  firstRun: 1,
  runs: 2,
  startTime: new Date('2024-05-01T00:00:00Z'),
  concurrency: 2,
};

interface Seen {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** Starts a server whose answers the test determines. */
async function serving(
  answer: (seen: Seen) => { status: number; body: string },
): Promise<{ url: string; seen: Seen[]; server: Server }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { request, body: Buffer.concat(chunks) };
      seen.push(one);
      const { status, body } = answer(one);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server };
}

describe('driveFleet', () => {
  it("delivers run after run, each machine's documents in order", async () => {
    const delivered: string[] = [];
    await driveFleet(fleet, plan, async (document, run) => {
      delivered.push(`${run} ${document.certname} ${document.command}`);
      await Promise.resolve();
    });
    expect(delivered).toHaveLength(18);
    expect(delivered.map((one) => Number(one[0]))).toEqual([...Array<number>(9).fill(1), ...Array<number>(9).fill(2)]);
    const ofOne = delivered
      .filter((one) => one.startsWith(`1 ${fleet.node(3).certname}`))
      .map((one) => one.split(' ').slice(2).join(' '));
    expect(ofOne).toEqual(['replace facts', 'replace catalog', 'store report']);
  });

  it('ends with what a delivery throws', async () => {
    await expect(driveFleet(fleet, plan, async () => Promise.reject(new Error('no more')))).rejects.toThrow('no more');
  });
});

describe('submitting', () => {
  const { facts } = fleet.run(2, 0, plan);

  it.each([true, false])('sends the payload as it is made (gzip %s)', async (gzip) => {
    const { url, seen, server } = await serving(() => ({
      status: 200,
      body: '{"uuid":"0d9ba26b-75b5-4d24-8b4c-0d5b1c8d6a11"}',
    }));
    const link = new ServerLink({ url: `${url}/` }, { connections: 1 });
    try {
      expect(await link.submit(await encodeCommand(facts, { gzip }))).toBe('0d9ba26b-75b5-4d24-8b4c-0d5b1c8d6a11');
      const [{ request, body }] = seen as [Seen];
      const address = new URL(request.url ?? '', url);
      expect(address.pathname).toBe('/pdb/cmd/v1');
      expect(Object.fromEntries(address.searchParams)).toEqual({
        command: 'replace_facts',
        version: '5',
        certname: facts.certname,
        'producer-timestamp': facts.producerTimestamp,
      });
      expect((gzip ? gunzipSync(body) : body).toString('utf8')).toBe(facts.text);
      expect(request.headers['x-uncompressed-length']).toBe(gzip ? String(Buffer.byteLength(facts.text)) : undefined);
    } finally {
      link.close();
      server.close();
    }
  });

  it('fails with the answer of a server that refuses', async () => {
    const { url, server } = await serving(() => ({ status: 400, body: '{"error":"not today"}' }));
    const link = new ServerLink({ url }, { connections: 1 });
    await expect(link.submit(await encodeCommand(facts, { gzip: false }))).rejects.toMatchObject({
      message: expect.stringContaining('400: {"error":"not today"}'),
    });
    link.close();
    server.close();
  });
});

describe('untilVisible', () => {
  const expected = { factsets: 3, catalogs: 3, reports: 6 };

  it('returns when all counts are reached', async () => {
    const counts = new Map<string, number>();
    const { url, seen, server } = await serving(({ request }) => {
      const entity = request.url?.split('/').pop()?.split('?')[0] ?? '';
      counts.set(entity, (counts.get(entity) ?? 0) + 3);
      return { status: 200, body: JSON.stringify([{ count: counts.get(entity) }]) };
    });
    const link = new ServerLink({ url }, { connections: 1 });
    await untilVisible(link, 'drive', plan, expected, { stallSeconds: 5 });
    link.close();
    server.close();
    expect(Object.fromEntries(counts)).toEqual({ factsets: 3, catalogs: 3, reports: 6 });
    const query = new URL(seen.at(-1)?.request.url ?? '', url).searchParams.get('query') ?? '';
    expect(JSON.parse(query)).toEqual([
      'extract',
      [['function', 'count']],
      [
        'and',
        ['~', 'certname', expect.stringMatching(/^\\\.f[0-9a-f]{6}\\\.example\\\.net\$$/)],
        ['>=', 'producer_timestamp', '2024-05-01T00:30:00.000Z'],
        ['<', 'producer_timestamp', '2024-05-01T01:30:00.000Z'],
      ],
    ]);
  });

  it('gives up when nothing moves any more', async () => {
    const { url, server } = await serving(() => ({ status: 200, body: '[{"count":1}]' }));
    const link = new ServerLink({ url }, { connections: 1 });
    await expect(untilVisible(link, 'drive', plan, expected, { stallSeconds: 0.4 })).rejects.toMatchObject({
      message: '1 of 3 factsets are visible, and no more for 0.4 s',
    });
    link.close();
    server.close();
  });

  it('waits as long as the count grows', async () => {
    let count = 0;
    await untilCounted('reports', 5, 0.25, async () => ++count);
    expect(count).toBe(5);
  });

  it('covers every time that the fleet stamps on the documents of its runs', () => {
    for (let index = 0; index < 100; index++) {
      const { facts, report } = fleet.run(index, 5, plan);
      expect(facts.producerTimestamp >= '2024-05-01T02:30:00.000Z').toBe(true);
      expect(report.producerTimestamp < '2024-05-01T03:00:00.000Z').toBe(true);
    }
  });
});

describe('writeDocument', () => {
  it.each([
    [false, '.json'],
    [true, '.json.gz'],
  ])('writes a file of its own for each document (gzip %s)', async (gzip, ending) => {
    const directory = await mkdtemp(join(tmpdir(), 'fleet-files-'));
    try {
      const { facts, report } = fleet.run(2, 0, plan);
      await writeDocument(directory, facts, 0, { gzip });
      await writeDocument(directory, report, 12, { gzip });
      expect(await readdir(join(directory, 'facts'))).toEqual([`${facts.certname}-0000${ending}`]);
      const [name] = await readdir(join(directory, 'reports'));
      expect(name).toBe(`${report.certname}-0012${ending}`);
      const bytes = await readFile(join(directory, 'reports', name as string));
      expect((gzip ? gunzipSync(bytes) : bytes).toString('utf8')).toBe(report.text);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
