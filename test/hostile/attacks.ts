/** The attacks of a hostile client. Each ends by itself within a minute. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Seeded } from '../chaos/seeded';
import { bombQueries, heavyQueries, wideQueries, type PreparedRequest } from './bodies';
import { headOf, RawClient } from './raw-client';

export interface Attacker {
  readonly url: string;
  /** 127.0.0.x */
  readonly address: string;
  readonly random: Seeded;
}

/** Runs the attack. Returns its outcome in a word. */
export type Attack = (attacker: Attacker) => Promise<string>;

const root = '/pdb/query/v4';
const answerMs = 45_000;
const wide = ['catalogs', 'resources', 'events', 'facts', 'fact-contents', 'reports'];

async function exchange({ url, address }: Attacker, request: PreparedRequest): Promise<string> {
  const client = new RawClient(url, address);
  try {
    client.send(headOf(request.method, request.path, request.headers, request.body.length));
    client.send(request.body);
    const { status } = await client.read(answerMs);
    return status === undefined ? (client.ended ? 'cut off' : 'no answer') : String(status);
  } finally {
    client.close();
  }
}

/** Requests everything and reads nothing, or almost nothing. */
const stall: Attack = async ({ url, address, random }) => {
  const client = new RawClient(url, address);
  try {
    client.send(headOf('GET', `${root}/${random.pick(wide)}`));
    await client.began(answerMs);
    client.stopReading();
    const trickles = random.chance(0.3);
    for (let second = random.whole(20, 40); second > 0 && !client.ended; second--) {
      await delay(1_000);
      if (!trickles) continue;
      client.goOnReading();
      await delay(1);
      client.stopReading();
    }
    return String(client.answer.status);
  } finally {
    client.close();
  }
};

/** Disconnects: while it sends, while it waits, or in the middle of an answer. */
const disconnect: Attack = async ({ url, address, random }) => {
  const client = new RawClient(url, address);
  const how = random.pick(['sending', 'waiting', 'reading']);
  try {
    if (how === 'sending') {
      client.send(
        headOf(
          'POST',
          '/pdb/cmd/v1?command=replace_facts&version=5&certname=gone.hostile.test',
          { 'content-type': 'application/json' },
          1_000_000,
        ),
      );
      client.send(Buffer.alloc(random.whole(1, 400_000), 0x78));
      await delay(random.whole(1, 500));
    } else {
      client.send(headOf('GET', `${root}/${random.pick(wide)}`));
      if (how === 'reading') await client.began(answerMs);
      await delay(random.whole(1, 500));
    }
    return how;
  } finally {
    client.close();
  }
};

/** Sends one byte a second, of the headers or of a body. */
const trickle: Attack = async ({ url, address, random }) => {
  const client = new RawClient(url, address);
  try {
    const head = headOf('POST', `${root}/nodes`, { 'content-type': 'application/json' }, 1_000);
    const ofBody = random.chance(0.5);
    if (ofBody) client.send(head);
    for (let at = 0, seconds = random.whole(15, 40); at < seconds && !client.ended; at++) {
      client.send(ofBody ? ' ' : head.slice(at, at + 1));
      await delay(1_000);
    }
    return String(client.answer.status);
  } finally {
    client.close();
  }
};

/** Opens many connections, sends half a request on each, and keeps them open. */
const slowLoris: Attack = async ({ url, address, random }) => {
  const clients = Array.from({ length: 20 }, () => new RawClient(url, address));
  try {
    for (const client of clients) client.send(`GET ${root}/nodes HTTP/1.1\r\nhost: nodeledger\r\n`);
    for (let turn = random.whole(5, 10); turn > 0; turn--) {
      await delay(3_000);
      for (const client of clients) client.send(`x-${turn}: ${turn}\r\n`);
    }
    return `${clients.filter((client) => client.ended).length} of ${clients.length} cut off`;
  } finally {
    for (const client of clients) client.close();
  }
};

/** Announces a body of gigabytes, and sends little of it. */
const hugeLength: Attack = async ({ url, address, random }) => {
  const client = new RawClient(url, address);
  try {
    const path = random.pick([
      `${root}/nodes`,
      '/pdb/cmd/v1?command=replace_facts&version=5&certname=huge.hostile.test',
    ]);
    client.send(headOf('POST', path, { 'content-type': 'application/json' }, 10_000_000_000));
    client.send(Buffer.alloc(100_000, 0x20));
    const { status } = await client.read(10_000);
    return String(status);
  } finally {
    client.close();
  }
};

/** Sends many requests at once from one address. */
const crowd: Attack = async (attacker) => {
  const path = attacker.random.pick([
    `${root}/nodes`,
    `${root}/resources?limit=1000`,
    `${root}/catalogs?limit=20`,
    `${root}/event-counts?summarize_by=resource`,
  ]);
  const request: PreparedRequest = { name: path, method: 'GET', path, headers: {}, body: Buffer.alloc(0) };
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => exchange(attacker, request)));
  return [...new Set(outcomes)].sort().join(' and ');
};

/** Creates all bodies at the start, so that this takes no time later. */
function oneOf(requests: PreparedRequest[]): Attack {
  return (attacker) => exchange(attacker, attacker.random.pick(requests));
}

export const attacks: Readonly<Record<string, Attack>> = {
  stall,
  disconnect,
  trickle,
  'slow loris': slowLoris,
  'huge length': hugeLength,
  crowd,
  'wide or deep query': oneOf(wideQueries()),
  'heavy query': oneOf(heavyQueries()),
  bomb: oneOf(bombQueries()),
};
