import { commandLogContract } from './command-log-contract';
import { checkRestore } from './restore-contract';
import { MemoryCommandLog } from './memory-command-log';

describe('MemoryCommandLog', () => {
  it('is restored with each record at its place', () =>
    checkRestore(() => Promise.resolve(new MemoryCommandLog({ partitions: 1 }))));

  for (const { title, check } of commandLogContract) {
    it(title, () =>
      check((partitions) => {
        const log = new MemoryCommandLog({ partitions });
        return Promise.resolve({ open: () => Promise.resolve(log) });
      }),
    );
  }
});
