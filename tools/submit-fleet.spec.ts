import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fleetCommand } from './submit-fleet';

describe('nodeledger fleet', () => {
  let written: string;
  beforeEach(() => {
    written = '';
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((text) => {
        written += String(text);
        return true;
      });
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = undefined;
  });

  it('writes the documents to files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'fleet-verb-'));
    try {
      await fleetCommand().parseAsync(['--nodes', '2', '--runs', '2', '--first-run', '1', '--out', directory], {
        from: 'user',
      });
      for (const folder of ['facts', 'catalogs', 'reports'])
        expect(await readdir(join(directory, folder))).toHaveLength(4);
      expect(written).toContain('12 documents written');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('counts failures, shows the first and ends with an error', async () => {
    await fleetCommand().parseAsync(
      ['--nodes', '1', '--runs', '1', '--url', 'http://127.0.0.1:9', '--concurrency', '1'],
      { from: 'user' },
    );
    expect(written.match(/first failure: replace facts/g)).toHaveLength(1);
    expect(written).toContain('0 commands accepted, 3 failed');
    expect(process.exitCode).toBe(1);
  });

  it.each([
    ['--nodes', '0'],
    ['--runs', '2.5'],
    ['--start', 'tomorrow'],
  ])('refuses %s %s', async (...flags) => {
    const command = fleetCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await expect(command.parseAsync(flags, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });
});
