import { commandLogContract } from '../contract/command-log-contract';
import { MemoryCommandLog } from './memory-command-log';

describe('MemoryCommandLog', () => {
  for (const { title, check } of commandLogContract) {
    it(title, () =>
      check((partitions) => {
        const log = new MemoryCommandLog({ partitions });
        return Promise.resolve({ open: () => Promise.resolve(log) });
      }),
    );
  }
});
