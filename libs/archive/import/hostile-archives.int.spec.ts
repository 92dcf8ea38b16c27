/** Tests hostile archives: the service answers each within limited time and memory. */
import { gzipSync } from 'node:zlib';
import { defaultLimits } from '#limits';
import { archiveOf, metadata, multipart, type Multipart, tarOf } from '../../../test/support/archives';
import { hostileArchives } from '../../../test/support/hostile-archives';
import { facts, ImportBench, node } from '../../../test/support/import-bench';

/**
 * Longest time for an answer. An answer takes far less, even on a busy machine, and would take far more without the
 * limits.
 */
const longestSeconds = 20;
const mostMegabytes = 150;

/** Measures by how much the memory of this process grows at most. This process serves the import. */
class MemoryGrowth {
  private readonly before = MemoryGrowth.used();
  private most = this.before;
  private readonly timer = setInterval(() => this.look(), 20);

  end(): number {
    clearInterval(this.timer);
    this.look();
    return this.most - this.before;
  }

  private look(): void {
    this.most = Math.max(this.most, MemoryGrowth.used());
  }

  /** Returns the memory of this process in megabytes. */
  private static used(): number {
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  }
}

const limits = { ...defaultLimits, commandBytes: 2_000_000, archiveOthers: 50, archiveEntries: 500 };

let on: ImportBench;
beforeAll(async () => {
  on = await ImportBench.open(limits);
});
afterAll(() => on.close());
const send: ImportBench['send'] = (...of) => on.send(...of);
const sendArchive: ImportBench['sendArchive'] = (archive) => on.sendArchive(archive);
const sendEntries: ImportBench['sendEntries'] = (entries) => on.sendEntries(entries);

const good = [metadata(), facts('good')];

describe('what is refused, and how', () => {
  it.each(hostileArchives)('%s', async (_what, archive, status, code, text) => {
    const bytes = await archive();
    const memory = new MemoryGrowth();
    const began = performance.now();
    const answer = await sendArchive(bytes);
    const seconds = (performance.now() - began) / 1000;
    const grown = memory.end();
    expect(answer).toMatchObject({ status, code });
    expect(answer.text).toMatch(text);
    expect(seconds).toBeLessThan(longestSeconds);
    expect(grown).toBeLessThan(mostMegabytes);
  });

  it('an archive that is cut off, wherever', async () => {
    const archive = await archiveOf([metadata(), ...node('cut')]);
    for (const at of [1, 5, 10, 18, archive.length >> 1, archive.length - 9, archive.length - 8, archive.length - 1]) {
      const answer = await sendArchive(archive.subarray(0, at));
      expect([at, answer.status, answer.code]).toEqual([at, 400, 'import.broken']);
      expect(answer.text).toContain('cut off');
    }
    const tar = await tarOf([metadata(), ...node('cut')]);
    for (const at of [100, 600, 1_100, 1_700]) {
      const answer = await sendArchive(gzipSync(tar.subarray(0, at)));
      expect([at, answer.status, answer.code]).toEqual([at, 400, 'import.broken']);
    }
  });

  it.each<[string, Partial<Multipart>, number, RegExp]>([
    ['JSON', { contentType: 'application/json' }, 415, /multipart\/form-data or multipart\/mixed is needed/],
    ['no boundary', { contentType: 'multipart/form-data' }, 400, /names no boundary/],
    [
      'a boundary of 10 kB',
      { contentType: `multipart/form-data; boundary=${'x'.repeat(10_000)}` },
      400,
      /10000 characters/,
    ],
    ['another boundary', { contentType: 'multipart/form-data; boundary=other' }, 400, /cut off/],
    ['an empty body', { body: Buffer.alloc(0) }, 400, /cut off/],
    ['no parts', { body: Buffer.from('------nodeledger--\r\n') }, 400, /no part named/],
  ])('a request with %s', async (_what, form, status, text) => {
    const answer = await send({ ...multipart(await archiveOf(good)), ...form });
    expect(answer).toMatchObject({ status, code: 'import.form' });
    expect(answer.text).toMatch(text);
    expect(answer.text).toContain('curl -F archive=@FILE');
  });

  it('a part with another name, two archives, much else, a part that is cut off', async () => {
    const archive = await archiveOf(good);
    const one = multipart(archive);
    const part = one.body.subarray(0, one.body.indexOf('\r\n------nodeledger--'));
    const end = Buffer.from('\r\n------nodeledger--\r\n');
    const answers = [
      await send(multipart(archive, { name: 'file' })),
      await send({ ...one, body: Buffer.concat([part, Buffer.from('\r\n'), part, end]) }),
      await send({ ...one, body: Buffer.concat([Buffer.alloc(3_000_000, 'x'), one.body]) }),
      await send({ ...one, body: part }),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [400, 'import.form']));
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining('no part named `archive`'),
      expect.stringContaining('more than one part'),
      expect.stringContaining('not of the archive'),
      expect.stringContaining('cut off'),
    ]);
  });

  it('a body that is compressed once more', async () => {
    expect(await send(multipart(await archiveOf(good)), { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
  });

  it('leaves nothing behind: the next archive is imported', async () => {
    expect((await sendEntries(good)).status).toBe(200);
    expect(on.server.heldBodyBytes).toBe(0);
  });
});
