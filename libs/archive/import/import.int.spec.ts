/** Tests imports over HTTP: which documents they store, the effect of a repetition, and the roles of the sender. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { defaultLimits } from '#limits';
import { archiveOf, currentVersions, type MadeEntry, metadata, multipart, tarOf } from '../../../test/support/archives';
import { event, factset, report } from '../../../test/support/documents';
import { giveAgeLimits } from '../../../test/support/age-limits';
import type { ProjectionBench } from '../../../test/support/projection';
import { stays } from '../../../test/support/until';
import { facts, hash, ImportBench, node } from '../../../test/support/import-bench';

const limits = { ...defaultLimits, commandBytes: 2_000_000, archiveOthers: 50, archiveEntries: 5_000 };

let on: ImportBench;
let bench: ProjectionBench;
beforeAll(async () => {
  on = await ImportBench.open(limits);
  bench = on.tables;
});
afterAll(() => on.close());
const send: ImportBench['send'] = (...of) => on.send(...of);
const sendArchive: ImportBench['sendArchive'] = (archive) => on.sendArchive(archive);
const sendEntries: ImportBench['sendEntries'] = (entries) => on.sendEntries(entries);
const appended = (): Promise<number> => on.appended();

describe('an archive', () => {
  it.each(['form-data', 'mixed'])('in multipart/%s is stored as commands', async (type) => {
    const before = await appended();
    const answer = await send(multipart(await archiveOf([metadata(), ...node(`stored-${type}`)]), { type }));
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
    expect(answer.imported).toBe('documents=5, known=0, passed-over=0');
    expect(await appended()).toBe(before + 5);
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
    const [row] = await bench.rows<object>(
      `SELECT expires_facts, catalog_producer_timestamp IS NOT NULL AS catalog, inputs_producer_timestamp IS NOT NULL AS inputs,
         facts_producer_timestamp IS NOT NULL AS facts, latest_report_status
       FROM {schema}.nodes WHERE certname = $1`,
      [`stored-${type}`],
    );
    expect(row).toEqual({
      expires_facts: false,
      catalog: true,
      inputs: true,
      facts: true,
      latest_report_status: 'changed',
    });
  });

  it('that is sent again appends nothing, and what differs in it is stored', async () => {
    const entries = [...node('again1'), ...node('again2')];
    await sendEntries([metadata(), ...entries]);
    await bench.settle();
    const tables = await bench.dump();
    const before = await appended();
    expect((await sendEntries([metadata(), ...entries])).imported).toBe('documents=10, known=10, passed-over=0');
    expect(await appended()).toBe(before);
    // Two documents have equal times and different values. The later command wins, as always.
    const changed = entries.map((entry) =>
      entry.name === 'puppetdb-bak/facts/again1.json' ? facts('again1', { a: 2 }) : entry,
    );
    expect((await sendEntries([metadata(), ...changed])).imported).toBe('documents=10, known=9, passed-over=0');
    await bench.settle();
    expect(await bench.dump()).not.toEqual(tables);
  });

  it('whose nodes were deleted since brings them back', async () => {
    await sendEntries([metadata(), ...node('deleted')]);
    await bench.settle();
    const count = async (): Promise<unknown> =>
      bench.rows(`SELECT certname FROM {schema}.nodes WHERE certname = 'deleted'`);
    await bench.submit('delete node', 'deleted', { version: 1, payload: { certname: 'deleted' } });
    await bench.settle();
    expect(await count()).toEqual([]);
    expect((await sendEntries([metadata(), ...node('deleted')])).imported).toContain('known=0');
    await bench.settle();
    expect(await count()).toEqual([{ certname: 'deleted' }]);
  });

  it.each([
    ['nodeledger-bak', 'export-metadata.json'],
    ['puppetdb-bak', 'metadata.json'],
  ])('of %s with %s is read', async (root, name) => {
    const entries = [
      { ...metadata(), name: `${root}/${name}` },
      { ...facts('prefix'), name: `${root}/facts/prefix.json` },
    ];
    expect((await sendEntries(entries)).imported).toContain('documents=1');
  });

  it('brings back reports that an age limit has taken, also while their rows are still there', async () => {
    const entries = [
      metadata(),
      { name: `puppetdb-bak/reports/old-${hash}.json`, content: report('old', [event('mode')]) },
    ];
    const count = async (): Promise<unknown> =>
      (
        await bench.rows<{ count: number }>(
          `SELECT count(*) FROM {schema}.reports r JOIN {schema}.nodes n USING (node) WHERE n.certname = 'old'`,
        )
      )[0]?.count;
    await sendEntries(entries);
    await bench.settle();
    await giveAgeLimits(bench, 4, { reportsBefore: '2026-02-01T00:00:00.000Z' });
    await bench.settle(undefined, { removes: false });
    expect(await count()).toBe(1);
    expect((await sendEntries(entries)).imported).toBe('documents=1, known=0, passed-over=0');
    await bench.settle();
    expect(await count()).toBe(1);
    expect((await sendEntries(entries)).imported).toBe('documents=1, known=1, passed-over=0');
  });

  it('does not take away a node that has come back since; one that has not goes', async () => {
    const state = (certname: string): MadeEntry => ({
      name: `nodeledger-bak/node_states/${certname}.json`,
      content: {
        ...{ certname, deactivated: null, expire_facts: true, expire_facts_updated: null },
        ...{ expired: '2026-01-12T00:00:00.000Z', expired_cutoff: '2026-01-05T00:00:00.000Z' },
      },
    });
    const payload = (certname: string, day: number): object =>
      factset(certname, { day }, { producer_timestamp: new Date(Date.UTC(2026, 0, day)).toISOString() });
    await bench.submit('replace facts', 'came-back', { payload: payload('came-back', 20) });
    await bench.submit('replace facts', 'stayed-away', { payload: payload('stayed-away', 2) });
    await bench.settle();
    const states = ['came-back', 'stayed-away', 'never-seen'].map(state);
    const answer = await sendEntries([metadata({ ...currentVersions, restore_node: 1 }), ...states]);
    expect(answer).toMatchObject({ status: 200, imported: 'documents=3, known=1, passed-over=0' });
    await bench.settle();
    const rows = await bench.rows<{ certname: string }>(
      `SELECT certname FROM {schema}.nodes WHERE expired IS NOT NULL ORDER BY certname`,
    );
    expect(rows.map(({ certname }) => certname)).toEqual(['never-seen', 'stayed-away']);
  });

  it('that was packed again, with folders and further files, is read', async () => {
    const folder = (name: string): MadeEntry => ({ name, type: 'directory' });
    const answer = await sendEntries([
      folder('./puppetdb-bak/'),
      { ...metadata(), name: './puppetdb-bak/export-metadata.json' },
      folder('./puppetdb-bak/facts/'),
      { ...facts('repacked'), name: './puppetdb-bak/facts/repacked.json' },
      { name: 'README', content: 'text' },
    ]);
    expect(answer).toMatchObject({ status: 200, imported: 'documents=1, known=0, passed-over=3' });
  });

  it('says of a document whose it is, whatever its file is called', async () => {
    expect(
      (await sendEntries([metadata(), { ...facts('named-inside'), name: 'puppetdb-bak/facts/other.json' }])).status,
    ).toBe(200);
    await bench.settle();
    expect(await bench.rows(`SELECT certname FROM {schema}.nodes WHERE certname IN ('other', 'named-inside')`)).toEqual(
      [{ certname: 'named-inside' }],
    );
  });

  it('in several gzip members is one archive', async () => {
    const tar = await tarOf([metadata(), facts('members')]);
    const archive = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    expect(await sendArchive(archive)).toMatchObject({ status: 200, imported: expect.stringContaining('documents=1') });
  });

  it('with a document that no version allows is stored; the document becomes a dead letter', async () => {
    const wrong = { name: 'puppetdb-bak/facts/letter.json', content: { certname: 'letter', values: 1 } };
    expect((await sendEntries([metadata(), wrong, facts('after-letter')])).status).toBe(200);
    await bench.settle();
    expect(bench.deadLetters.splice(0)).toMatchObject([{ record: { certname: 'letter' } }]);
  });
});

describe('a sender', () => {
  const open = async (archive: Buffer) => {
    const { body, contentType } = multipart(archive);
    const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.write(
      `POST /pdb/admin/v1/archive HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    return { socket, body, answer: () => answer };
  };

  it('may take longer than other requests may, and only so many import at once', async () => {
    const archive = await archiveOf([metadata(), ...node('slow')]);
    const senders = [await open(archive), await open(archive)];
    for (const { socket, body } of senders) socket.write(body.subarray(0, 300));
    // On other routes, the server ends a request whose body takes longer than 300 ms.
    await stays(() => senders.every(({ socket }) => !socket.destroyed), { what: 'the imports', forMs: 600 });
    expect(await sendArchive(archive)).toMatchObject({ status: 503, code: 'import.busy' });
    for (const { socket, body } of senders) socket.write(body.subarray(300));
    while (senders.some(({ answer }) => !answer().includes('ok'))) await delay(10);
    for (const { socket } of senders) socket.destroy();
  });

  it('that goes away leaves a slot; what came is stored, and a repeat finishes', async () => {
    const many = [
      metadata(),
      ...Array.from({ length: 300 }, (_, n) => facts(`gone${n}`, { n, x: `${Math.sin(n)}`.repeat(20) })),
    ];
    const archive = await archiveOf(many);
    const { socket, body } = await open(archive);
    const before = await appended();
    socket.write(body.subarray(0, Math.floor(body.length * 0.9)));
    while ((await appended()) < before + 200) await delay(10);
    socket.destroy();
    await bench.settle();
    const answer = await sendArchive(archive);
    expect(answer.status).toBe(200);
    const known = Number(/known=(\d+)/.exec(answer.imported ?? '')?.[1]);
    expect(known).toBeGreaterThanOrEqual(200);
    await bench.settle();
    expect(await bench.rows(`SELECT count(*)::int AS count FROM {schema}.nodes WHERE certname LIKE 'gone%'`)).toEqual([
      { count: 300 },
    ]);
  });
});
