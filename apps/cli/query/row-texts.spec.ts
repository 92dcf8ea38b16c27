import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { rowTexts } from './row-texts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes of the heap that are in use. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

async function* chunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
async function rowsOf(text: string, size = text.length): Promise<string[]> {
  const rows: string[] = [];
  for await (const row of rowTexts(chunks(text, size))) rows.push(row);
  return rows;
}

test('any array in any chunks gives the texts of its elements', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 2),
      async (values, size, indent) => {
        const rows = await rowsOf(JSON.stringify(values, null, indent), size);
        expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual(JSON.parse(JSON.stringify(values)));
      },
    ),
    { numRuns: 300 },
  );
});

test('numbers stay as they are written', async () => {
  expect(await rowsOf('[ {"a":1.50},\n-0.0 , 12345678901234567890 ]', 3)).toEqual([
    '{"a":1.50}',
    '-0.0',
    '12345678901234567890',
  ]);
});

test('it keeps one row, not the answer', async () => {
  const row = `{"a":"${'x'.repeat(1000)}"}`;
  async function* endless(): AsyncGenerator<string> {
    yield '[';
    for (let n = 0; n < 20_000; n++) yield `${n === 0 ? '' : ','}${row}`;
    yield ']';
  }
  const before = heldBytes();
  let count = 0;
  let most = 0;
  for await (const text of rowTexts(endless())) {
    count += text.length === row.length ? 1 : 0;
    if (count % 4000 === 0) most = Math.max(most, heldBytes() - before);
  }
  expect(count).toBe(20_000);
  // The answer has 20 MB.
  expect(most).toBeLessThan(2_000_000);
});
