import { Fault } from '#fault';
import { AppendWindow } from './append-window';

const full = new Fault('busy', 'log.full', 'The log is full.');

it('does not repeat an append to a full log after another append has failed', async () => {
  const window = new AppendWindow();
  let tries = 0;
  await window.add(1, () => {
    tries += 1;
    return Promise.reject(full);
  });
  await window.add(1, () => Promise.reject(new Error('broken')));
  await window.ended();
  expect(tries).toBe(2);
  await expect(window.settled()).rejects.toThrow('broken');
  await expect(window.add(1, () => Promise.resolve())).rejects.toThrow('broken');
});

it('repeats an append until the log has room', async () => {
  const window = new AppendWindow();
  let tries = 0;
  await window.add(1, () => (++tries === 1 ? Promise.reject(full) : Promise.resolve()));
  await window.settled();
  expect(tries).toBe(2);
});

it('begins an append when commands and bytes fit beside the appends under way', async () => {
  const window = new AppendWindow({ commands: 2, bytes: 10 });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const add = (bytes: number): Promise<void> =>
    window.add(bytes, () => {
      begun.push(bytes);
      return new Promise<void>((resolve) => finish.push(resolve));
    });
  await add(1);
  await add(2);
  const third = add(9);
  finish[0]!();
  // 2 + 9 bytes exceed the window.
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
  finish[1]!();
  await third;
  expect(begun).toEqual([1, 2, 9]);
  // A command that is larger than the window is appended alone.
  const fourth = add(11);
  finish[2]!();
  await fourth;
  finish[3]!();
  await window.settled();
});
