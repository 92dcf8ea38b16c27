/** Root runs `ssl-setup` in the data directory of another user, who tries to make root write elsewhere. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsFiles } from '#tls';
import { Authority } from '../../../test/support/certificates';
import { copySslFiles } from './copy-ssl-files';
import { asRoot } from '../../../test/support/as-root';

const service = 65_534;
const raceMs = 4_000;

(asRoot ? describe : describe.skip)('ssl-setup as root', () => {
  const authority = Authority.make('CA');
  let files: TlsFiles;
  let room: string;
  let dataDir: string;
  /** A folder that belongs to root. It contains a certificate that every user can read. */
  let precious: string;

  beforeAll(() => {
    files = { ...authority.issue('db.test'), ca: authority.issue('unused').cert };
    writeFileSync(files.ca, authority.certificate);
  });
  afterAll(() => authority.remove());
  beforeEach(() => {
    room = mkdtempSync(join(tmpdir(), 'nodeledger-owner-'));
    chmodSync(room, 0o755);
    dataDir = join(room, 'data');
    mkdirSync(dataDir);
    chownSync(dataDir, service, service);
    precious = join(room, 'precious');
    mkdirSync(precious);
    writeFileSync(join(precious, 'cert.pem'), 'precious');
  });
  afterEach(() => rmSync(room, { recursive: true }));

  const ownerAndContent = (): unknown =>
    ['', ...readdirSync(precious)].map((name) => {
      const path = join(precious, name);
      const { uid, gid, mode } = statSync(path);
      return [name, uid, gid, mode, name === '' ? '' : readFileSync(path, 'utf8')];
    });

  test.each([
    ['a named pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['an endless device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('%s in the place of a copy is another file', async (_what, make) => {
    mkdirSync(join(dataDir, 'ssl'));
    make(join(dataDir, 'ssl', 'cert.pem'));
    await expect(copySslFiles(files, join(dataDir, 'ssl'))).rejects.toMatchObject({ code: 'cli.ssl-exists' });
  });

  test('the copies belong to the owner of the data directory, and later work is done as root', async () => {
    const groups = process.getgroups?.();
    await copySslFiles(files, join(dataDir, 'ssl'));
    const owners = ['', 'cert.pem', 'key.pem', 'ca.pem'].map((name) => statSync(join(dataDir, 'ssl', name)));
    expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual(owners.map(() => [service, service]));
    expect([process.geteuid?.(), process.getegid?.(), process.getgroups?.()]).toEqual([0, process.getgid?.(), groups]);
  });

  test('a link of root to the data directory is followed', async () => {
    symlinkSync('data', join(room, 'link'));
    await copySslFiles(files, join(room, 'link', 'ssl'));
    expect(statSync(join(dataDir, 'ssl', 'key.pem')).uid).toBe(service);
  });

  test.each([
    ['the folder', 'ssl', 'ssl'],
    ['a folder above it', 'a', 'a/ssl'],
  ])('nothing of root changes if the service user replaces %s by a link', async (_what, link, target) => {
    const before = ownerAndContent();
    await actsAs(
      service,
      `require('fs').symlinkSync(${JSON.stringify(precious)}, ${JSON.stringify(join(dataDir, link))})`,
    );
    await expect(copySslFiles(files, join(dataDir, target), { force: true })).rejects.toMatchObject({ code: 'EACCES' });
    expect(ownerAndContent()).toEqual(before);
    expect(process.geteuid?.()).toBe(0);
  });

  test('nothing of root changes while the service user replaces the files and the folder as fast as it can', async () => {
    const before = ownerAndContent();
    const folder = join(dataDir, 'ssl');
    const race = `
      const { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } = require('fs');
      const tried = (work) => { try { work(); } catch {} };
      const [folder, precious] = ${JSON.stringify([folder, precious])};
      writeFileSync(folder + '.racing', '');
      for (let n = 0; ; n++) {
        for (let m = 0; m < 200; m++) {
          tried(() => unlinkSync(folder + '/cert.pem.unfinished'));
          tried(() => symlinkSync(precious + '/cert.pem', folder + '/cert.pem.unfinished'));
        }
        tried(() => renameSync(folder, folder + n % 2));
        tried(() => symlinkSync(precious, folder));
        tried(() => unlinkSync(folder));
        tried(() => mkdirSync(folder));
      }`;
    const attacker = spawn(process.execPath, ['-e', race], { uid: service, gid: service, stdio: 'ignore' });
    try {
      const end = Date.now() + raceMs;
      let tries = 0;
      while (Date.now() < end) {
        await copySslFiles(files, folder, { force: true }).catch(() => undefined);
        if (existsSync(`${folder}.racing`)) tries++;
        expect(ownerAndContent()).toEqual(before);
      }
      expect(tries).toBeGreaterThan(20);
    } finally {
      attacker.kill('SIGKILL');
      await once(attacker, 'exit');
    }
  }, 30_000);
});

/** Runs a Node.js program as another user. */
async function actsAs(uid: number, program: string): Promise<void> {
  const child = spawn(process.execPath, ['-e', program], { uid, gid: uid, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`the program ended with ${code}`);
}
