/**
 * The well-behaved client. It sends commands and queries at a steady rate, regardless of earlier requests, and measures
 * each from the moment at which it was due. It also submits facts that must become visible after a poison, and requests
 * the status every second.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Fleet, type FleetDocument } from '#fleet';
import { partitionOf } from '../../libs/log/partition';
import { factset } from '../support/documents';
import type { GoodOrder, GoodWord } from './messages';

const commandsPerSecond = 5;
const queriesPerSecond = 10;
const nodes = 6;
const runs = 12;
/** Machines with this number or a higher one do not belong to the loaded fleet. */
const firstNode = 10_000;
const longestMs = 60_000;
const statusMs = 2_000;
const probeMs = 30_000;
const partitions = 12;
/** `2026-01-01T00:00:00.000Z`. */
const timeLength = 24;

// The client closes idle connections before the service does so after 75 s. Otherwise a request that is sent at that
// moment would be lost.
const agent = new Agent({ keepAlive: true, maxSockets: 200, timeout: 60_000 });
const say = (word: GoodWord): void => void process.send?.(word);
let url = '';
let phase = '';

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(method: string, path: string, body?: Buffer, timeoutMs = longestMs): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(`${url}${path}`, { method, agent, headers, localAddress: '127.0.0.1' }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
    });
    const late = setTimeout(() => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    sent.on('error', reject).on('close', () => clearTimeout(late));
    sent.end(body);
  });
}

/** Sends a request that was due at `due`. Every status except 200 is a failure. */
async function measured(kind: 'command' | 'query', what: string, due: number, sent: Promise<Answer>): Promise<void> {
  const at = phase;
  let failure: string | undefined;
  try {
    const { status, text } = await sent;
    if (status !== 200) failure = `${status} ${text.slice(0, 200)}`;
  } catch (error) {
    failure = String(error);
  }
  say({ phase: at, kind, what, ms: performance.now() - due, ...(failure === undefined ? {} : { failure }) });
}

/** A document whose times are set to the current time whenever it is sent. */
class Prepared {
  readonly path: string;
  private readonly body: Buffer;
  private readonly places: number[] = [];

  constructor({ command, version, certname, text, producerTimestamp }: FleetDocument) {
    const parameters = new URLSearchParams({ command, version: String(version), certname });
    this.path = `/pdb/cmd/v1?${parameters}`;
    this.body = Buffer.from(text);
    if (producerTimestamp.length !== timeLength) throw new Error(`an unexpected form of time: ${producerTimestamp}`);
    for (let at = this.body.indexOf(producerTimestamp); at >= 0; at = this.body.indexOf(producerTimestamp, at + 1))
      this.places.push(at);
  }

  now(): Buffer {
    const time = new Date().toISOString();
    for (const place of this.places) this.body.write(time, place, 'latin1');
    return this.body;
  }
}

function prepare(): Prepared[] {
  const fleet = new Fleet('good', 'compact');
  const startTime = new Date(Date.now() - 86_400_000);
  const documents: Prepared[] = [];
  for (let run = 0; run < runs; run++) {
    for (let node = 0; node < nodes; node++) {
      const { facts, catalog, report } = fleet.run(firstNode + node, run, { startTime });
      for (const document of [facts, catalog, report]) documents.push(new Prepared(document));
    }
  }
  return documents;
}

function queries(): [string, string][] {
  const fleet = new Fleet('nodeledger', 'compact');
  const names = Array.from({ length: 20 }, (_, index) => fleet.node(index).certname);
  const root = '/pdb/query/v4';
  const encoded = (query: string): string => `${root}?query=${encodeURIComponent(query)}`;
  return names.flatMap((name): [string, string][] => [
    ['nodes', `${root}/nodes`],
    ['facts of a node', `${root}/nodes/${name}/facts`],
    ['resources of a node', `${root}/nodes/${name}/resources`],
    ['PQL', encoded(`inventory[certname] { facts.os.family = "Debian" and certname ~ "^[a-m]" }`)],
    [
      'event counts',
      `${root}/event-counts?summarize_by=certname&query=${encodeURIComponent(`["=","certname","${name}"]`)}`,
    ],
  ]);
}

/** Calls `send` this many times a second, without end, with a number and the moment at which the call was due. */
async function steadily(perSecond: number, send: (number: number, due: number) => void): Promise<never> {
  const began = performance.now();
  for (let number = 0; ; number++) {
    const due = began + (number * 1000) / perSecond;
    const pause = due - performance.now();
    if (pause > 0) await delay(pause);
    send(number, due);
  }
}

let tokens = 0;
/** The certname of a node in each partition. */
const probeNodes = new Map<number, string>();
for (let index = 0; probeNodes.size < partitions; index++) {
  const certname = `probe-${index}.good.test`;
  const partition = partitionOf(certname, partitions);
  if (!probeNodes.has(partition)) probeNodes.set(partition, certname);
}

/** Submits facts to that partition and repeats a query until it shows them. */
async function probe(partition: number): Promise<void> {
  const began = performance.now();
  const token = ++tokens;
  const certname = probeNodes.get(partition) ?? '';
  const values = { token };
  const document = factset(certname, values, { producer_timestamp: new Date(Date.now() + token).toISOString() });
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  const last = (): number => performance.now() - began;
  try {
    const { status, text } = await ask('POST', `/pdb/cmd/v1?${parameters}`, Buffer.from(JSON.stringify(document)));
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`);
    for (;;) {
      const shown = await ask('GET', `/pdb/query/v4/nodes/${certname}/facts/token`, undefined, probeMs);
      const [fact] = shown.status === 200 ? (JSON.parse(shown.text) as { value: number }[]) : [];
      if (fact !== undefined && fact.value >= token) return say({ probed: partition, ms: last() });
      if (last() > probeMs) throw new Error(`not visible after ${probeMs / 1000} s`);
      await delay(500);
    }
  } catch (error) {
    say({ probed: partition, ms: last(), failure: String(error) });
  }
}

async function lookAtStatus(): Promise<void> {
  try {
    const { status, text } = await ask('GET', '/status/v1/simple', undefined, statusMs);
    say({ status: status === 200 ? text : `${status} ${text}` });
  } catch (error) {
    say({ status: String(error) });
  }
}

process.on('message', (order: GoodOrder) => {
  if ('phase' in order) phase = order.phase;
  if ('probe' in order) void probe(order.probe);
  if (!('start' in order)) return;
  url = order.start;
  const documents = prepare();
  const asked = queries();
  say({ ready: true });
  void steadily(commandsPerSecond, (number, due) => {
    const document = documents[number % documents.length] as Prepared;
    void measured('command', document.path.split('&')[0] ?? '', due, ask('POST', document.path, document.now()));
  });
  void steadily(queriesPerSecond, (number, due) => {
    const [what, path] = asked[number % asked.length] as [string, string];
    void measured('query', what, due, ask('GET', path));
  });
  void steadily(1, () => void lookAtStatus());
});
