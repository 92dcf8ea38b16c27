import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskThread } from './task-thread';

/** `new Worker` throws at once for a path that is not absolute. */
const thread = (): TaskThread<string, string> => new TaskThread('test', 'not-absolute.js', 64);

test('a task whose thread cannot be started is rejected, and so are the tasks after it', async () => {
  const tasks = thread();
  const all = ['a', 'b', 'b'].map((address) => tasks.perform('work', { address }));
  for (const result of await Promise.allSettled(all)) expect(result).toMatchObject({ status: 'rejected' });
});

test('a closed thread rejects tasks', async () => {
  const tasks = thread();
  await tasks.close();
  await expect(tasks.perform('work', {})).rejects.toThrow('the thread test is closed');
});

test('the task at which the thread ends is rejected, and another thread performs the next one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'nodeledger-thread-'));
  const program = join(directory, 'worker.js');
  writeFileSync(
    program,
    `require('worker_threads').parentPort.on('message', function (text) {
      if (text === 'end') process.exit(3);
      this.postMessage({ result: text });
    });`,
  );
  const tasks = new TaskThread<string, string>('test', program, 64);
  const [first, second] = await Promise.allSettled(['end', 'work'].map((text) => tasks.perform(text, {})));
  expect(first).toMatchObject({ reason: { message: 'the thread test ended with code 3' } });
  expect(second).toMatchObject({ value: 'work' });
  await tasks.close();
  rmSync(directory, { recursive: true });
});
