/** Measures the machine without nodeledger: writes the same bytes into PostgreSQL and Kafka directly. */
import { once } from 'node:events';
import { Partitioners } from 'kafkajs';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { builtPart } from './stores.mjs';
import { readCommands } from './commands.mjs';
import { Meter } from './processor-time.mjs';
import { measured } from './submitters.mjs';

/** At most as much as one of our batches. */
const copyBytes = 16 << 20;
const sendBytes = 8 << 20;

const table = `CREATE TABLE plain (id bigint PRIMARY KEY, payload bytea NOT NULL);
  ALTER TABLE plain ALTER COLUMN payload SET STORAGE EXTERNAL`;

/** One row, one statement, one commit; a connection for each concurrent append. */
export async function plainInsert({ database, list, runs, roots, inFlight, longestMs }) {
  const commands = await readCommands(list, ...runs);
  const pool = new pg.Pool({ connectionString: database, max: inFlight });
  try {
    await pool.query(`DROP TABLE IF EXISTS plain; ${table}`);
    let id = 0;
    const send = ({ body }) =>
      pool.query({ name: 'plain', text: 'INSERT INTO plain VALUES ($1, $2)', values: [id++, body] });
    return await measured(new Meter(roots), commands, { inFlight, send, longestMs });
  } finally {
    await pool.end();
  }
}

/** Binary COPY, committed every 16 MB. */
export async function plainCopy({ database, list, runs, roots }) {
  const commands = await readCommands(list, ...runs);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(`DROP TABLE IF EXISTS plain; ${table}`);
    const meter = new Meter(roots);
    meter.begin();
    let id = 0;
    for (const portion of portions(commands, copyBytes)) {
      const copy = client.query(copyFrom('COPY plain FROM STDIN (FORMAT binary)'));
      const done = once(copy, 'finish');
      copy.write(Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'));
      for (const { body } of portion) if (!copy.write(binaryRow(id++, body))) await once(copy, 'drain');
      copy.end(Buffer.from([0xff, 0xff]));
      await done;
    }
    return { ...total(commands), ...meter.end() };
  } finally {
    await client.end();
  }
}

/** One message for each request, acks=all, with this many concurrent requests. */
export async function plainSend({ dist, brokers, topic, partitions, list, runs, roots, inFlight, longestMs }) {
  const commands = await readCommands(list, ...runs);
  return withProducer({ dist, brokers, topic, partitions }, (producer) => {
    const send = ({ node, body }) =>
      producer.send({ topic, acks: -1, messages: [{ partition: node % partitions, value: body }] });
    return measured(new Meter(roots), commands, { inFlight, send, longestMs });
  });
}

/** As much in one request as in one of our batches, one request after the other. */
export async function plainBatches({ dist, brokers, topic, partitions, list, runs, roots }) {
  const commands = await readCommands(list, ...runs);
  return withProducer({ dist, brokers, topic, partitions }, async (producer) => {
    const meter = new Meter(roots);
    meter.begin();
    for (const portion of portions(commands, sendBytes)) {
      const messages = portion.map(({ node, body }) => ({ partition: node % partitions, value: body }));
      await producer.send({ topic, acks: -1, messages });
    }
    return { ...total(commands), ...meter.end() };
  });
}

async function withProducer({ dist, brokers, topic, partitions }, work) {
  // Uses the socket options of our log. With those of the client, each small request would wait for the acknowledgement
  // of the last one.
  const { kafkaClient } = builtPart(dist, 'libs/log/kafka/kafka-connection.js');
  const kafka = kafkaClient({ brokers });
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { retries: 8, initialRetryTime: 100 },
  });
  await admin.connect();
  await producer.connect();
  try {
    const configEntries = [{ name: 'max.message.bytes', value: String(32 << 20) }];
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: partitions, configEntries }] });
    return await work(producer);
  } finally {
    await producer.disconnect();
    await admin.disconnect();
  }
}

function* portions(commands, mostBytes) {
  let portion = [];
  let bytes = 0;
  for (const command of commands) {
    if (portion.length > 0 && bytes + command.body.length > mostBytes) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(command);
    bytes += command.body.length;
  }
  if (portion.length > 0) yield portion;
}

function binaryRow(id, body) {
  const head = Buffer.alloc(18);
  head.writeInt16BE(2, 0);
  head.writeInt32BE(8, 2);
  head.writeBigInt64BE(BigInt(id), 6);
  head.writeInt32BE(body.length, 14);
  return Buffer.concat([head, body]);
}

const total = (commands) => ({
  records: commands.length,
  bytes: commands.reduce((sum, { body }) => sum + body.length, 0),
});
