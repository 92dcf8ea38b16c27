/** Sends the runs of a simulated fleet, and compares the records of a log with what was sent. */
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Fleet, type FleetDocument } from '#fleet';
import type { CommandLog } from '#log';
import { eachRecord, payloadText } from './all-records';
import { post } from './load';

const senders = 4;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function producedNow(document: FleetDocument, moreFacts: number): FleetDocument {
  const text = document.text.replaceAll(document.producerTimestamp, new Date().toISOString());
  if (document.command !== 'replace facts' || moreFacts === 0) return { ...document, text };
  const body = JSON.parse(text) as { values: Record<string, unknown> };
  body.values.more = Array.from({ length: moreFacts }, () => randomBytes(500).toString('hex'));
  return { ...document, text: JSON.stringify(body) };
}

export class SentRuns {
  private readonly fleet: Fleet;
  private readonly startTime: Date;
  /** Of each acknowledged command: its uuid and the SHA-256 of its document. */
  private readonly acknowledged = new Map<string, string>();
  /** Number of commands that the service refused with 503. */
  refused = 0;
  /** Also of commands without an answer, which may be in the log. */
  private readonly sent = new Set<string>();
  private runs = 0;

  constructor(
    seed: string,
    private readonly nodes: number,
    /**
     * Documents are produced when they are sent, and this many kB more of facts change in each run. Default: at the
     * times of the simulation, some days ago, without more facts.
     */
    private readonly now?: { readonly moreFacts: number },
  ) {
    this.fleet = new Fleet(seed);
    this.startTime = new Date(Date.now() - 200 * 1_800_000);
  }

  get count(): number {
    return this.acknowledged.size;
  }

  /** Sends the documents of the next run of each node. Those that get no answer are not sent again. */
  async send(url: string): Promise<void> {
    const run = this.runs++;
    const waiting = Array.from({ length: this.nodes }, (_, node) => node);
    const sender = async (): Promise<void> => {
      for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
        for (const document of this.fleet.run(node, run, { startTime: this.startTime }).sent) {
          await this.submit(url, this.now === undefined ? document : producedNow(document, this.now.moreFacts));
        }
      }
    };
    await Promise.all(Array.from({ length: senders }, sender));
  }

  private async submit(url: string, document: FleetDocument): Promise<void> {
    const digest = digestOf(document.text);
    this.sent.add(digest);
    let answer: Response;
    let text: string;
    try {
      answer = await post(url, document, gzipSync(document.text), { 'content-encoding': 'gzip' });
      text = await answer.text();
    } catch {
      return;
    }
    if (answer.status === 200) this.acknowledged.set((JSON.parse(text) as { uuid: string }).uuid, digest);
    else if (answer.status === 503) this.refused += 1;
    else throw new Error(`${answer.status} ${text}`);
  }

  /** Returns the uuids of all acknowledged commands. */
  uuids(): Set<string> {
    return new Set(this.acknowledged.keys());
  }

  /**
   * Reads all records, and compares the SHA-256 of each document with what was sent. Throws if one differs, or if one of
   * `needed` is missing; default: all acknowledged ones. Returns the uuids of the records.
   */
  async expectIn(log: CommandLog, needed: ReadonlySet<string> = this.uuids()): Promise<Set<string>> {
    const found = new Set<string>();
    for await (const record of eachRecord(log)) {
      const { uuid, command } = record;
      if (!['replace facts', 'replace catalog', 'store report'].includes(command)) continue;
      found.add(uuid);
      const digest = digestOf(payloadText(record));
      const expected = this.acknowledged.get(uuid);
      if (expected === undefined ? !this.sent.has(digest) : digest !== expected) {
        throw new Error(`${command} ${uuid} at ${record.partition}-${record.offset} is not what was sent`);
      }
    }
    const missing = [...needed].filter((uuid) => !found.has(uuid));
    if (missing.length > 0) throw new Error(`${missing.length} of ${needed.size} records are missing`);
    return found;
  }
}
