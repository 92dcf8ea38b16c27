import { createHash } from 'node:crypto';
import { KnownSections } from './known-sections';

const document = (list: string, head = '{"a":'): Buffer => Buffer.from(`${head}${list},"b":1}`);
const sectionOf = (bytes: Buffer, list: string, weight = 3) => {
  const start = bytes.indexOf('[');
  return { name: 'a', start, end: start + list.length, weight, boundary: ',' };
};

test('knows the end of a section that did not change, at another offset too', () => {
  const known = new KnownSections();
  const first = document('[1,[2],3]');
  known.of('web1', first).hashOf(sectionOf(first, '[1,[2],3]'));
  const next = document('[1,[2],3]', '{"time":"later","a":');
  const hashes = known.of('web1', next);
  const start = next.indexOf('[');
  expect(hashes.endOf('a', start)).toEqual({ end: start + 9, weight: 3 });
  const digest = createHash('sha256').update('[1,[2],3]').digest();
  expect(hashes.hashOf(sectionOf(next, '[1,[2],3]'))).toEqual(digest);
});

test.each([
  ['another content of the same length', '[1,[9],3]'],
  ['a longer content with the same begin', '[1,[2],3],[4]'],
  ['a document that ends before', '[]'],
])('does not know the end of %s', (_title, list) => {
  const known = new KnownSections();
  const first = document('[1,[2],3],[]');
  known.of('web1', first).hashOf(sectionOf(first, '[1,[2],3],[]'));
  const next = document(list);
  expect(known.of('web1', next).endOf('a', next.indexOf('['))).toBeUndefined();
});

test('does not take the section of another document or of another name', () => {
  const known = new KnownSections();
  const bytes = document('[1]');
  known.of('web1', bytes).hashOf(sectionOf(bytes, '[1]'));
  expect(known.of('web2', bytes).endOf('a', 5)).toBeUndefined();
  expect(known.of('web1', bytes).endOf('b', 5)).toBeUndefined();
});

test('remembers the sections of the new content', () => {
  const known = new KnownSections();
  for (const list of ['[1]', '[1,2]']) {
    const bytes = document(list);
    known.of('web1', bytes).hashOf(sectionOf(bytes, list, list.length));
  }
  const bytes = document('[1,2]');
  expect(known.of('web1', bytes).endOf('a', 5)).toEqual({ end: 10, weight: 5 });
});

test('forgets the document that was not used for longest', () => {
  const known = new KnownSections(2);
  const bytes = document('[1]');
  const knows = (key: string): boolean => known.of(key, bytes).endOf('a', 5) !== undefined;
  for (const key of ['a', 'b']) known.of(key, bytes).hashOf(sectionOf(bytes, '[1]'));
  expect(knows('a')).toBe(true);
  known.of('c', bytes).hashOf(sectionOf(bytes, '[1]'));
  expect([knows('a'), knows('c')]).toEqual([true, true]);
  expect(knows('b')).toBe(false);
});
