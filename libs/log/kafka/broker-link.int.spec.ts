import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { BrokerLink } from './broker-link';
import { OpenLogs } from '../../../test/support/kafka-logs';

const produce = 0;

interface Request {
  readonly apiKey: number;
  readonly apiVersion: number;
  /** The bytes after the header of the request. */
  readonly body: Buffer;
}

/**
 * Returns the requests in the bytes that a client has sent. Each request begins with its length, key, version and
 * number, and the name of the client.
 */
function* requestsIn(bytes: Buffer): Generator<Request> {
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readInt32BE(at)) {
    const request = bytes.subarray(at + 4, at + 4 + bytes.readInt32BE(at));
    const nameBytes = Math.max(0, request.readInt16BE(8));
    yield {
      apiKey: request.readInt16BE(0),
      apiVersion: request.readInt16BE(2),
      body: request.subarray(10 + nameBytes),
    };
  }
}

describeWithKafka('a connection to a broker', () => {
  const logs = new OpenLogs(kafkaBrokers);
  const sent: Buffer[] = [];
  const sockets: Socket[] = [];
  let listener: Server | undefined;
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listener?.close(resolve));
    await logs.closeAll();
  });

  // Examines the request, because with one broker and one replica the answer does not depend on the requested
  // acknowledgement.
  it('asks for the acknowledgement of all in-sync replicas', async () => {
    const brokers = await kafkaBrokers();
    if ('skipped' in brokers) throw new Error(brokers.skipped);
    const [host = '', port = ''] = (brokers[0] ?? '').split(':');
    listener = createServer((client) => {
      const upstream = connect(Number(port), host);
      sockets.push(client, upstream);
      client.on('data', (bytes) => sent.push(bytes));
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => listener?.listen(0, '127.0.0.1', resolve));
    const topic = logs.topic();
    await logs.open(topic, { partitions: 1 });

    const address = { host: '127.0.0.1', port: (listener.address() as AddressInfo).port };
    const link = new BrokerLink({ brokers }, address);
    const [outcome] = await link.produce([{ topic, partition: 0, messages: [{ value: Buffer.from('x') }] }]);
    link.close();

    expect(outcome).toEqual({ baseOffset: 1 });
    const produced = [...requestsIn(Buffer.concat(sent))].filter(({ apiKey }) => apiKey === produce);
    expect(produced).toHaveLength(1);
    const [{ apiVersion, body }] = produced as [Request];
    // From version 3 on, a request contains the name of the transaction and then the number of acknowledgements.
    expect(apiVersion).toBeGreaterThanOrEqual(3);
    expect(body.readInt16BE(0)).toBe(-1);
    expect(body.readInt16BE(2)).toBe(-1);
  });
});
