import { bytes, counted, excerpt, percent, fileAndLine, visible } from './text';

test('shows control characters and marks of direction as signs, and nothing else', () => {
  expect(visible('a\u0000b\u001b[31m')).toBe('a\u2400b\u241b[31m');
  expect(visible('x\u202Egpj.exe')).toBe('x\u27e8202E\u27e9gpj.exe');
  expect(visible('line\n\ttab é 漢 שלום')).toBe('line\n\ttab é 漢 שלום');
});

test('counts in words', () => {
  expect([counted(1, 'node'), counted(2412, 'node'), counted(0, 'entry', 'entries')]).toEqual([
    '1 node',
    '2,412 nodes',
    '0 entries',
  ]);
});

test('never says that a part is nothing or all if it is not', () => {
  expect([percent(0, 9), percent(1, 99_999), percent(99_998, 99_999), percent(9, 9), percent(0, 0)]).toEqual([
    '0 %',
    '0.1 %',
    '99.9 %',
    '100 %',
    '0 %',
  ]);
});

test('shortens sizes, files and messages', () => {
  expect([bytes(999), bytes(1_200), bytes(83_228_405_760)]).toEqual(['999 B', '1.2 kB', '83 GB']);
  const file = '/etc/puppetlabs/code/environments/production/modules/varnish/manifests/config.pp';
  expect(fileAndLine(file, 209)).toBe('varnish/manifests/config.pp:209');
  expect(fileAndLine(null, 3)).toBeUndefined();
  expect(excerpt('one\n two three', 8)).toBe('one two…');
});
