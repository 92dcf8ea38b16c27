import { Undo } from './undo';

test('closes in the opposite order, goes on past a failure, and does each once', async () => {
  const done: string[] = [];
  const failed: string[] = [];
  const undo = new Undo((name, error) => failed.push(`${name}: ${String(error)}`));
  undo.add('first', async () => void done.push('first'));
  undo.add('second', () => Promise.reject(new Error('stuck')));
  undo.add('third', async () => void done.push('third'));
  await undo.run();
  await undo.run();
  expect(done).toEqual(['third', 'first']);
  expect(failed).toEqual(['second: Error: stuck']);
});
