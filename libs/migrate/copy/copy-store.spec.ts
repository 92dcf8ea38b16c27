import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { copyStore } from './copy-store';
import { Peer } from './peer';
import { Store } from './store';
import { Submitter } from './submitter';

interface ServedRequest {
  readonly entity: string;
  /** The nodes that the query names. */
  readonly certnames: readonly string[];
}

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Starts a server with nodes without documents. `onAnswer` may remove nodes. */
async function serve(nodes: Set<string>, onAnswer: (served: ServedRequest) => void = () => undefined): Promise<Peer> {
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const { query, limit, offset = 0 } = JSON.parse(body) as { query: unknown; limit?: number; offset?: number };
      const entity = request.url!.split('/').at(-1)!;
      const [, named] = /\["array",(\[.*?\])\]/.exec(JSON.stringify(query)) ?? [];
      const certnames = named === undefined ? undefined : (JSON.parse(named) as string[]);
      const found = [...nodes].filter((certname) => certnames?.includes(certname) ?? true).sort();
      const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
      const isCount = JSON.stringify(query).includes('"count"');
      const rows = isCount ? [{ count: nodes.size }] : page.map((certname) => ({ certname }));
      response.end(JSON.stringify(entity === 'nodes' ? rows : []));
      onAnswer({ entity, certnames: certnames ?? [] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const options = { url: `http://127.0.0.1:${port}`, name: 'it', connections: 4 };
  const peer = new Peer({ ...options, signal: new AbortController().signal });
  undo.push(
    () => peer.close(),
    () => server.close(),
  );
  return peer;
}

it('copies every node that stays, although nodes are purged at the source meanwhile', async () => {
  const names = Array.from({ length: 1_050 }, (_, n) => `node-${String(n).padStart(4, '0')}`);
  const looked: string[] = [];
  const there = new Set(names);
  const source = await serve(there, ({ entity, certnames }) => {
    if (entity !== 'factsets') return;
    looked.push(...certnames);
    // Removes a node that was copied, and one that was not.
    there.delete('node-0000');
    there.delete('node-0900');
  });
  const target = await serve(new Set());
  const progress: string[] = [];
  const outcome = await copyStore({
    ...{ source: new Store(source), target: new Store(target), submitter: new Submitter(target), concurrency: 2 },
    signal: new AbortController().signal,
    onProgress: (done, total) => void progress.push(`${done} of ${total}`),
  });
  expect(looked.sort()).toEqual(names.filter((name) => name !== 'node-0900'));
  expect(outcome).toEqual({ nodes: 1_049, present: 0, expired: 0, failures: [] });
  expect(progress.at(-1)).toBe('1049 of 1050');
});
