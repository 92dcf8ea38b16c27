/**
 * Tests clients that read too slowly. The tests make large groups of changes themselves, because a projector makes such
 * groups only with many nodes.
 */
import { Controller, Get, Module, Res } from '@nestjs/common';
import { EventStream, type FastifyReply, type HttpServer, openHttp } from '#http';
import { listenTo, type Listening } from '../../../test/support/event-stream';
import { until } from '../../../test/support/until';
import { StreamBench } from '../testing/stream-bench';
import { ChangeFeed } from './change-feed';
import type { ChangeGroup } from './change-reader';
import { ChangeStream } from './change-stream';
import type { StreamPosition } from './stream-position';

const mostBytes = 1_000_000;
let bench: StreamBench;
let server: HttpServer;
let begin: StreamPosition;
let feed: ChangeFeed;
let stream: ChangeStream;
let cutOff: number;
let sent: number;

@Controller()
class Probe {
  @Get('changes')
  async changes(@Res() reply: FastifyReply): Promise<void> {
    const { reader } = bench;
    stream = new ChangeStream(
      EventStream.open(reply),
      begin,
      { isChosen: () => true, follows: true },
      {
        ...{ reader, feed, mostBytes },
        onSent: (events) => (sent += events),
        onCutOff: () => (cutOff += 1),
        onFailure: (error) => bench.failures.push(error),
      },
    );
    await stream.run();
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

beforeAll(async () => {
  bench = await StreamBench.open({ partitions: 1 });
  begin = await bench.reader.present();
  server = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
    graceMs: 500,
  });
});
beforeEach(() => {
  cutOff = 0;
  sent = 0;
  feed = new ChangeFeed(bench.reader, () => undefined);
});
afterAll(async () => {
  await server.close();
  await bench.close();
});

const listen = async (): Promise<Listening> => {
  const listening = await listenTo(`${server.urls[0]}/changes`);
  await until(() => listening.lastId !== undefined);
  return listening;
};

/** Returns a group that has one change with this number of bytes, at an offset. */
const group = (offset: number, bytes: number): ChangeGroup => {
  const receivedAt = new Date().toISOString();
  const position = { partition: 0, offset };
  const id = `${offset}/facts`;
  const json = JSON.stringify({ position, value: 'x'.repeat(bytes) });
  return {
    changes: [{ ...{ id, certname: 'web1', kind: 'facts', environment: null, receivedAt, position, json } }],
    position: { ...begin, offsets: [offset + 1] },
    logId: 'log',
    isLast: true,
  };
};

test('cuts off a client that does not read, before much waits for it', async () => {
  const slow = await listen();
  slow.answer.pause();
  slow.answer.socket.pause();
  let groups = 0;
  await until(async () => {
    stream.take(group(++groups, 100_000));
    await new Promise((resolve) => setImmediate(resolve));
    return cutOff > 0;
  });
  // The buffers of the connection take a part of the bytes too.
  const bytes = groups * 100_000;
  expect(bytes).toBeGreaterThan(mostBytes);
  expect(bytes).toBeLessThan(mostBytes + 10_000_000);
  slow.answer.socket.resume();
  slow.answer.resume();
  await slow.ended();
  expect(slow.isWhole).toBe(false);
  // The last id that arrived belongs to the last whole event.
  expect(slow.lastId).toContain(`:${slow.events.length + 1}@`);
});

test('a group that is larger than the limit is sent if nothing waits', async () => {
  const listening = await listen();
  stream.take(group(1, 3 * mostBytes));
  await listening.received(1);
  stream.take(group(2, 3 * mostBytes));
  await listening.received(2);
  expect([cutOff, sent, listening.hasEnded]).toEqual([0, 2, false]);
  listening.close();
});

test('leaves out what the client has already', async () => {
  const listening = await listen();
  stream.take(group(5, 10));
  stream.take(group(4, 10));
  stream.take(group(6, 10));
  await listening.received(2);
  expect(listening.events.map(({ id }) => id)).toEqual(['5/facts', '6/facts']);
  expect(listening.lastId).toContain(':7@');
  listening.close();
});

test('ends the stream if changes are lost that it has not read', async () => {
  const listening = await listen();
  stream.lose();
  await listening.ended();
  expect(listening.isWhole).toBe(true);
});

test('a group of the feed without events skips nothing that the stream still reads', async () => {
  const others = { needs: () => false, take: () => undefined, lose: () => undefined };
  const [first = 0] = begin.offsets;
  // The feed is one record ahead of the stream. The stream itself reads this record.
  await feed.join(others, { ...begin, offsets: [first + 1] });
  const joined = jest.spyOn(feed, 'join');
  const listening = await listen();
  await until(() => joined.mock.calls.length > 0);
  stream.take({ ...group(first + 1, 1), changes: [] });
  await bench.facts('web1', 1);
  await bench.projection.settle();
  await listening.received(1);
  expect(listening.events.map(({ subject }) => subject)).toEqual(['web1']);
  listening.close();
  feed.leave(others);
});
