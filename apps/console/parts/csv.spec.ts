import { toCsv } from './csv';

test('quotes separators and line breaks, and puts an apostrophe before what a spreadsheet would run', () => {
  const row = ['a,b', 'say "no"', 'line\nbreak', '=1+1', '@x', '-cmd', '-12.5', -3, true, null, { a: 1 }];
  expect(toCsv(['c'], [row])).toBe(
    `c\r\n"a,b","say ""no""","line\nbreak",'=1+1,'@x,'-cmd,-12.5,-3,true,,"{""a"":1}"\r\n`,
  );
});
