/** Runs twenty hostile clients, each with its own address: nineteen with random attacks, and one that sends poison. */
import { request } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Seeded } from '../chaos/seeded';
import { attacks } from './attacks';
import type { HostileOrder, HostileWord } from './messages';
import { poisons, type Poison } from './poisons';

const clients = 20;
/** Pause between two poisons. */
const poisonMs = 2_500;
const longestMs = 60_000;

// Runs the clients with low priority. Real clients are on other machines, so their computing must not slow the service
// down.
setPriority(10);

const say = (word: HostileWord): void => void process.send?.(word);
let stopped = false;

async function attack(url: string, address: string, random: Seeded): Promise<void> {
  for (const kind of random.decks(Object.keys(attacks))) {
    if (stopped) return;
    const outcome = await attacks[kind]?.({ url, address, random }).catch((error: unknown) => String(error));
    say({ kind, outcome: outcome ?? 'nothing' });
    await delay(random.whole(50, 500));
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly position?: string;
}

function submit(url: string, localAddress: string, certname: string, poison: Poison): Promise<Answer> {
  const { command, version, parameters } = poison;
  const path = `/pdb/cmd/v1?${new URLSearchParams({ command, version: String(version), certname, ...parameters })}`;
  const made = poison.body(certname);
  const body = typeof made === 'string' ? Buffer.from(made) : made;
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, ...poison.headers };
    const sent = request(`${url}${path}`, { method: 'POST', localAddress, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const position = answer.headers['x-nodeledger-position'];
        resolve({ status: answer.statusCode ?? 0, text, ...(typeof position === 'string' ? { position } : {}) });
      });
    });
    const late = setTimeout(() => sent.destroy(new Error('no answer')), longestMs);
    sent.on('error', reject).on('close', () => clearTimeout(late));
    sent.end(body);
  });
}

async function sendPoison(url: string, address: string, random: Seeded): Promise<void> {
  let number = 0;
  for (const name of random.decks(Object.keys(poisons))) {
    if (stopped) return;
    const poison = poisons[name] as Poison;
    const certname = `poison-${number++}.hostile.test`;
    const told = { poison: name, certname, expected: poison.fate };
    try {
      const { status, text, position } = await submit(url, address, certname, poison);
      const partition = position === undefined ? undefined : Number(position.split('-')[0]);
      say({ ...told, status, text: text.slice(0, 300), ...(partition === undefined ? {} : { partition }) });
    } catch (error) {
      // The service may answer and close the connection before a large body was sent completely.
      say({ ...told, status: 0, text: String(error) });
    }
    await delay(poisonMs);
  }
}

process.on('message', (order: HostileOrder) => {
  if ('stop' in order) {
    stopped = true;
    return;
  }
  const random = new Seeded(order.seed);
  for (let client = 1; client < clients; client++) void attack(order.start, `127.0.0.${client + 1}`, random.fork());
  void sendPoison(order.start, `127.0.0.${clients + 1}`, random.fork());
});
say({ ready: true });
