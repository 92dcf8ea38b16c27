/**
 * Sends commands that exceed the memory of the projector. With the default limits each becomes a dead letter at once.
 * With the highest limits, a command ends the thread of the projector, which then continues without it.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { catalog, factset, report } from '../support/documents';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb } from './verb';

/** Time limit until a command after a poison is visible. */
const visibleMs = 30_000;
const ended = /The projector (has )?ended/;

let dataDir: string;
let service: RunningService;
beforeEach(async () => {
  dataDir = await temporaryDataDir();
});
afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function submit(command: string, version: number, certname: string, body: string, waitSeconds = 0) {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  if (waitSeconds > 0) parameters.set('secondsToWaitForCompletion', String(waitSeconds));
  const response = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(body)),
  });
  return { status: response.status, text: await response.text() };
}
const healthy = (certname: string, waitSeconds = 0) =>
  submit('replace_facts', 5, certname, JSON.stringify(factset(certname, { a: 1 })), waitSeconds);
/** A document in which the value `"HERE"` is replaced by a text that would be too large as a value. */
const withText = (document: object, text: string): string => JSON.stringify(document).replace('"HERE"', text);
const nested = (levels: number, inner: string): string => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
const ones = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;

interface Letter {
  readonly certname: string;
  readonly error: string;
  readonly exception: string;
}
async function letters(): Promise<Letter[]> {
  const answer = await fetch(`${service.url}/nodeledger/v1/dead-letters`);
  return ((await answer.json()) as { letters: Letter[] }).letters;
}
async function isVisible(certname: string): Promise<boolean> {
  const answer = await fetch(`${service.url}/pdb/query/v4/nodes/${certname}`);
  return answer.status === 200;
}

describe('with the default limits', () => {
  const event = `{"status":"success","timestamp":"2026-01-01T00:00:00Z","property":null,"new_value":1,"old_value":1,"message":"","corrective_change":false}`;
  const status = (title: string, events: string): string =>
    `[{"skipped":false,"timestamp":"2026-01-01T00:00:00Z","resource_type":"File","resource_title":"${title}","file":null,"line":null,"containment_path":[],"corrective_change":false,"events":${events}}]`;
  const many = (count: number, one: string): string => `[${`${one},`.repeat(count - 1)}${one}]`;

  test.each<[string, string, number, (node: string) => string, string]>([
    [
      '300,000 values below 900 lists',
      'replace_facts',
      5,
      (node) => withText(factset(node, 'HERE'), `{"a":${nested(900, ones(300_000))}}`),
      'path elements of the values',
    ],
    [
      '400,000 values',
      'replace_facts',
      5,
      (node) => withText(factset(node, 'HERE'), `{"a":${ones(400_000)}}`),
      'values in the facts of a node',
    ],
    [
      'a long key above many values',
      'replace_facts',
      5,
      (node) => withText(factset(node, 'HERE'), `{"a":{"${'k'.repeat(100_000)}":${ones(9_900)}}}`),
      'characters of the path elements',
    ],
    [
      'nine million values of a parameter',
      'replace_catalog',
      9,
      (node) =>
        withText(
          catalog(node, [{ type: 'A', title: 'a', exported: false, tags: [], parameters: { a: 'HERE' } }], []),
          ones(9_000_000),
        ),
      'values in a payload',
    ],
    [
      'a long title with many events',
      'store_report',
      8,
      (node) => withText(report(node, [], { resources: 'HERE' }), status('t'.repeat(1_000_000), many(1_000, event))),
      'once for each of its events',
    ],
  ])(
    '%s',
    async (_what, command, version, body, limit) => {
      service = await startService({ dataDir });
      const started = performance.now();
      const [poisoned, passed] = await Promise.all([
        submit(command, version, 'poison.test', body('poison.test'), 60),
        delay(50).then(() => healthy('healthy.test', 60)),
      ]);
      expect(poisoned).toEqual({ status: 503, text: expect.stringContaining(limit) as string });
      expect(passed.status).toBe(200);
      expect(performance.now() - started).toBeLessThan(visibleMs);
      expect(await letters()).toMatchObject([
        { certname: 'poison.test', exception: expect.stringMatching(/^wire\.limit/) as string },
      ]);
      expect(service.output()).not.toMatch(ended);
    },
    120_000,
  );
});

describe.each([1, 2])('with %d projector threads', (threads) => {
  test('with the limits raised, a record that ends the projector becomes a letter and those behind it are applied', async () => {
    const env = {
      NODELEDGER_PROJECTOR_THREADS: String(threads),
      NODELEDGER_MAX_FACT_LEAVES: '10000000',
      NODELEDGER_LOG_LEVEL: 'info',
    };
    service = await startService({ dataDir, env });
    expect((await healthy('before.test', 30)).status).toBe(200);
    // The text of 9,900 paths, each 100 kB long.
    const poison = (node: string): string =>
      withText(factset(node, 'HERE'), `{"a":{"${'k'.repeat(100_000)}":${ones(9_900)}}}`);

    const started = performance.now();
    expect((await submit('replace_facts', 5, 'poison.test', poison('poison.test'))).status).toBe(200);
    for (let node = 0; node < 20; node++) expect((await healthy(`behind${node}.test`)).status).toBe(200);
    let commandsTaken = 0;
    while (!service.output().includes('ended abnormally') && performance.now() - started < 4 * visibleMs) {
      expect((await healthy('meanwhile.test')).status).toBe(200);
      commandsTaken += 1;
      await delay(50);
    }
    const firstEndMs = performance.now() - started;
    expect(commandsTaken).toBeGreaterThan(0);
    expect(service.output()).toContain('out of memory');
    expect(service.output()).not.toContain('Over: The projector ended');
    while (performance.now() - started < 10 * visibleMs) {
      const seen = await Promise.all(Array.from({ length: 20 }, (_, node) => isVisible(`behind${node}.test`)));
      if (seen.every((one) => one) && (await letters()).length === 1) break;
      await delay(100);
    }
    const took = performance.now() - started;

    const found = await letters();
    expect(found.map(({ certname }) => certname)).toEqual(['poison.test']);
    for (const { error, exception } of found) {
      expect(error).toBe('The projector ended abnormally twice while it applied this command (out of memory).');
      expect(exception).toMatch(/^projections\.fatal-record/);
    }
    // The thread ends twice: once with the whole batch, and once with the record alone. Another thread may take over
    // meanwhile and end, too. A busy machine takes long to fill the memory.
    expect(took).toBeLessThan(Math.max(visibleMs, 4 * firstEndMs));
    const over = performance.now() + visibleMs;
    while (!service.output().includes('Over: The projector ended') && performance.now() < over) await delay(100);
    expect(service.output()).toContain('Over: The projector ended');

    // A later replay also leaves the records out. Otherwise its tables would differ.
    const verdict = await runVerb(['verify', '--data-dir', dataDir], dataDir, env);
    expect([verdict.stderr, verdict.code]).toEqual([expect.any(String), 0]);
  }, 500_000);
});
