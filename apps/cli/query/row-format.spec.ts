import { forTerminal, type RowFormat, rowWriters } from './row-format';

async function* all(rows: readonly string[]): AsyncGenerator<string> {
  yield* rows;
}
async function written(format: RowFormat, rows: readonly string[], width = 80): Promise<string> {
  let text = '';
  for await (const part of rowWriters[format](all(rows), { width })) text += part;
  return text;
}

const rows = [
  '{"certname":"web1","uptime":1.50,"os":{"family":"Debian"},"note":null}',
  '{"certname":"db,1","uptime":12345678901234567890,"os":["a"],"note":"say \\"hi\\"\\nnow"}',
];

test('a table has columns, and no control characters', async () => {
  expect(await written('table', rows)).toBe(
    [
      'certname  uptime                os                   note',
      'web1      1.50                  {"family":"Debian"}',
      'db,1      12345678901234567890  ["a"]                say "hi" now',
      '2 rows',
      '',
    ].join('\n'),
  );
  expect(await written('table', ['{"a":"\\u001b[2Jx"}'])).not.toContain('\u001b');
});

test('no format gives a terminal control characters; the values of JSON stay the same', async () => {
  const hostile = ['{"a":"\\u001b[2J\\r\\n\\u0007","b":"\u009b2J\u007f"}', '[1]'];
  for (const format of ['csv', 'spreadsheet', 'json', 'ndjson'] as const) {
    const text = forTerminal(format, await written(format, hostile));
    expect(text).not.toMatch(/(?!\r\n)[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(text.split('\n').length).toBeGreaterThan(2);
  }
  const json = await written('json', hostile);
  expect(JSON.parse(forTerminal('json', json))).toEqual(JSON.parse(json));
});

test('a table is not wider than the terminal: the widest columns are cut', async () => {
  const lines = (await written('table', [`{"name":"short","text":"${'x'.repeat(500)}"}`], 40)).split('\n');
  expect(lines[1]).toBe(`short  ${'x'.repeat(32)}…`);
});

test('rows of too many columns for the terminal are printed as lists of their fields', async () => {
  const wide = Array.from({ length: 3 }, (_, row) => {
    const fields = Array.from({ length: 8 }, (_, n) => [`field${n}`, n === 0 ? null : `${row}${'x'.repeat(n * 9)}`]);
    return JSON.stringify(Object.fromEntries(fields));
  });
  const lines = (await written('table', wide, 60)).split('\n');
  expect(lines.slice(0, 3)).toEqual(['field0', `field1  0${'x'.repeat(9)}`, `field2  0${'x'.repeat(18)}`]);
  expect(lines.slice(6, 11)).toEqual([
    `field6  0${'x'.repeat(50)}…`,
    `field7  0${'x'.repeat(50)}…`,
    '',
    'field0',
    `field1  1${'x'.repeat(9)}`,
  ]);
  expect(lines.slice(-2)).toEqual(['3 rows (values with … are cut; --wide shows them whole)', '']);
  expect((await written('table', wide, 300)).split('\n')).toHaveLength(6);
});

test('rows after those that were measured fit into the columns', async () => {
  const many = Array.from({ length: 300 }, (_, n) => `{"n":"${'9'.repeat(n < 200 ? 3 : 9)}"}`);
  const lines = (await written('table', many)).split('\n');
  expect([lines[1], lines[250], lines[301]]).toEqual([
    '999',
    '99…',
    '300 rows (values with … are cut; --wide shows them whole)',
  ]);
});

test('JSON keeps rows as they came, also none', async () => {
  expect(await written('json', rows)).toBe(`[\n${rows[0]},\n${rows[1]}\n]\n`);
  expect(await written('json', [])).toBe('[]\n');
});

test('NDJSON has a line for each row', async () => {
  expect(await written('ndjson', ['{\n  "a" : 1\n}', '2'])).toBe('{ "a" : 1 }\n2\n');
});

test('CSV quotes what must be, and has the columns of the first row', async () => {
  expect(await written('csv', rows)).toBe(
    'certname,uptime,os,note\r\n' +
      'web1,1.50,"{""family"":""Debian""}",\r\n' +
      '"db,1",12345678901234567890,"[""a""]","say ""hi""\nnow"\r\n',
  );
  expect(await written('csv', [])).toBe('');
  const odd = ['{"a":"=1+1","b":-1}', '{"a":"-1","b":"-1+1"}'];
  expect(await written('csv', odd)).toBe('a,b\r\n=1+1,-1\r\n-1,-1+1\r\n');
  expect(await written('spreadsheet', odd)).toBe("a,b\r\n'=1+1,-1\r\n-1,'-1+1\r\n");
  expect(await written('csv', ['{"a":"x\\ry"}'])).toBe('a\r\n"x\ry"\r\n');
  expect(await written('csv', ['5'])).toBe('value\r\n5\r\n');
  expect(await written('csv', ['{"a":null}', '{"a":""}', '{"a":1}'])).toBe('a\r\n""\r\n""\r\n1\r\n');
});
